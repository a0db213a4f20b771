/* The grammar of RFC 8259, taken as it stands: what json-c forgives even when told to be strict
 * (quotes of the other kind, NaN, control characters, "1.", "-01", overlong UTF-8) is refused. */
#include "http/json_scan.h"

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

char json_scan_next(struct json_scan *scan)
{
    while (scan->at < scan->end && *scan->at && strchr(" \t\r\n", *scan->at))
        scan->at++;
    return scan->at < scan->end ? *scan->at : '\0';
}

bool json_scan_count_item(struct json_scan *scan)
{
    return ++scan->items <= JSON_ITEMS_MAX ||
           json_scan_refuse(scan, "holds too many names and values");
}

/* -- Strings, numbers, literals ---------------------------------------------------------------- */

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    digit = (char)(digit | 0x20);
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

int json_scan_code_unit(const char *at, const char *end)
{
    int unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = hex_value(at[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

int json_scan_escape_length(const char *at, const char *end, bool *is_half)
{
    int unit = json_scan_code_unit(at, end), low;
    *is_half = false;
    if (unit < 0xD800 || unit > 0xDFFF)
        return 6;
    low = unit <= 0xDBFF ? json_scan_code_unit(at + 6, end) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF)
        return 12;
    *is_half = true;
    return 6;
}

static bool scan_escape(struct json_scan *scan)
{
    static const char message[] = "holds an escape that JSON does not know";
    bool is_half;
    scan->has_escape = true;
    if (scan->end - scan->at < 2)
        return json_scan_refuse(scan, "ends inside a string");
    if (scan->at[1] != 'u') {
        if (!memchr("\"\\/bfnrt", scan->at[1], 8))
            return json_scan_refuse(scan, message);
        scan->at += 2;
        return true;
    }
    if (json_scan_code_unit(scan->at, scan->end) < 0)
        return json_scan_refuse(scan, message);
    scan->at += json_scan_escape_length(scan->at, scan->end, &is_half);
    scan->has_half |= is_half;
    return true;
}

static bool scan_string(struct json_scan *scan)
{
    scan->has_escape = scan->has_half = false;
    scan->at++;
    while (scan->at < scan->end) {
        unsigned char byte = (unsigned char)*scan->at;
        if (byte == '"') {
            scan->at++;
            return true;
        }
        if (byte < 0x20)
            return json_scan_refuse(scan, "holds a control character inside a string");
        if (byte != '\\')
            scan->at++;
        else if (!scan_escape(scan))
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
    char *start = scan->at + 1;
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
