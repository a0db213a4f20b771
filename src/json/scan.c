/* Checks JSON text by the grammar of RFC 8259 to the letter: what many parsers accept beyond it
 * (single quotes, NaN, control characters, "1.", "-01") is refused. Says where a value ends; what
 * it is worth is read by value.c. */
#include "json/scan.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

bool json_scan_refuse(struct json_scan *scan, const char *message)
{
    scan->message = message;
    return false;
}

bool json_scan_refuse_syntax(struct json_scan *scan)
{
    return json_scan_refuse(scan, "is not well-formed JSON");
}

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

char json_scan_next(struct json_scan *scan)
{
    while (scan->at < scan->end && is_space(*scan->at))
        scan->at++;
    return scan->at < scan->end ? *scan->at : '\0';
}

bool json_scan_count_item(struct json_scan *scan)
{
    return ++scan->items <= JSON_ITEMS_MAX ||
           json_scan_refuse(scan, "holds too many names and values");
}

/* -- Strings, numbers, literals ---------------------------------------------------------------- */

static bool scan_escape(struct json_scan *scan)
{
    static const char message[] = "holds an escape that JSON does not know";
    int code_point;
    scan->has_escape = true;
    if (scan->end - scan->at < 2)
        return json_scan_refuse(scan, "ends inside a string");
    if (scan->at[1] != 'u') {
        if (!memchr("\"\\/bfnrt", scan->at[1], 8))
            return json_scan_refuse(scan, message);
        scan->at += 2;
        return true;
    }
    if (json_value_code_unit(scan->at, scan->end) < 0)
        return json_scan_refuse(scan, message);
    scan->at += json_value_measure_escape(scan->at, scan->end, &code_point);
    return true;
}

/* How many of eight bytes come before the first quote, backslash or control character: subtracting
 * borrows into bit 7 of a byte below 0x20, and of one that differs from neither. The borrow may
 * also reach the bytes after such a one, which does not matter. */
static int count_plain(const char *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word = le64toh(word);
    uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    uint64_t found = ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) |
                     ((backslash - ones) & ~backslash);
    return found & tops ? __builtin_ctzll(found & tops) / 8 : 8;
}

static bool is_plain(char character)
{
    return (unsigned char)character >= 0x20 && character != '"' && character != '\\';
}

static void skip_plain(struct json_scan *scan)
{
    const char *at = scan->at;
    int plain = 8;
    for (; plain == 8 && scan->end - at >= 8; at += plain)
        plain = count_plain(at);
    while (plain == 8 && at < scan->end && is_plain(*at))
        at++;
    scan->at = at;
}

static bool scan_string(struct json_scan *scan)
{
    scan->has_escape = false;
    scan->at++;
    for (skip_plain(scan); scan->at < scan->end; skip_plain(scan)) {
        if (*scan->at == '"') {
            scan->at++;
            return true;
        }
        if (*scan->at != '\\')
            return json_scan_refuse(scan, "holds a control character inside a string");
        if (!scan_escape(scan))
            return false;
    }
    return json_scan_refuse(scan, "ends inside a string");
}

static bool scan_digits(struct json_scan *scan)
{
    const char *start = scan->at;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
        scan->at++;
    return scan->at > start;
}

static bool skip_any(struct json_scan *scan, const char *characters)
{
    if (scan->at == scan->end || !*scan->at || !strchr(characters, *scan->at))
        return false;
    scan->at++;
    return true;
}

static bool scan_number(struct json_scan *scan)
{
    skip_any(scan, "-");
    const char *digits = scan->at;
    bool well_formed = scan_digits(scan) && !(*digits == '0' && scan->at - digits > 1);
    if (well_formed && skip_any(scan, "."))
        well_formed = scan_digits(scan);
    if (well_formed && skip_any(scan, "eE")) {
        skip_any(scan, "+-");
        well_formed = scan_digits(scan);
    }
    return well_formed || json_scan_refuse(scan, "holds a malformed number");
}

static bool scan_literal(struct json_scan *scan)
{
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(literals[i]);
        if ((size_t)(scan->end - scan->at) >= length &&
            memcmp(scan->at, literals[i], length) == 0) {
            scan->at += length;
            return true;
        }
    }
    return json_scan_refuse_syntax(scan);
}

/* -- Objects and arrays ------------------------------------------------------------------------ */

bool json_scan_enter(struct json_scan *scan)
{
    scan->at++;
    return ++scan->depth <= JSON_NESTING_MAX || json_scan_refuse(scan, "is nested too deeply");
}

static bool leave(struct json_scan *scan)
{
    scan->at++;
    scan->depth--;
    return true;
}

bool json_scan_separator(struct json_scan *scan, char closing, bool first, bool *more)
{
    char token = json_scan_next(scan);
    *more = token != closing;
    if (!*more)
        return leave(scan);
    if (first)
        return true;
    if (token != ',')
        return json_scan_refuse_syntax(scan);
    scan->at++;
    return json_scan_next(scan) != closing || json_scan_refuse_syntax(scan);
}

bool json_scan_name(struct json_scan *scan, struct text *name)
{
    if (json_scan_next(scan) != '"')
        return json_scan_refuse_syntax(scan);
    const char *start = scan->at + 1;
    if (!json_scan_count_item(scan) || !scan_string(scan))
        return false;
    *name = (struct text){start, (size_t)(scan->at - 1 - start)};
    if (json_scan_next(scan) != ':')
        return json_scan_refuse_syntax(scan);
    scan->at++;
    json_scan_next(scan);
    return true;
}

static bool scan_object(struct json_scan *scan)
{
    struct text name;
    bool more = true;
    if (!json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false)
        if (!json_scan_name(scan, &name) || !json_scan_value(scan))
            return false;
    return !scan->message;
}

static bool scan_array(struct json_scan *scan)
{
    bool more = true;
    if (!json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, ']', first, &more) && more; first = false)
        if (!json_scan_value(scan))
            return false;
    return !scan->message;
}

bool json_scan_value(struct json_scan *scan)
{
    char token = json_scan_next(scan);
    if (!json_scan_count_item(scan))
        return false;
    if (token == '{')
        return scan_object(scan);
    if (token == '[')
        return scan_array(scan);
    if (token == '"')
        return scan_string(scan);
    if (token == '-' || (token >= '0' && token <= '9'))
        return scan_number(scan);
    return scan_literal(scan);
}

bool json_scan_field(struct json_scan *scan, struct json_value *value)
{
    const char *start = scan->at;
    enum json_kind kind = json_value_kind(json_scan_next(scan));
    if (!json_scan_value(scan))
        return false;
    size_t length = (size_t)(scan->at - start);
    *value = (struct json_value){.kind = kind, .text = {start, length}};
    if (kind == JSON_STRING) {
        value->has_escape = scan->has_escape;
        value->text = (struct text){start + 1, length - 2};
    }
    return true;
}
