/* Checks each token of a JSON text strictly against RFC 8259. The scan checks numbers, literals,
 * and the quotes, escapes, control characters and UTF-8 in strings. Outside strings, numbers and
 * literals, only brackets, commas, colons and white space can occur. json-c checks how the tokens
 * fit together (parse.c). Outside its strict mode, json-c accepts two errors: a comma before a
 * closing bracket, and text after the object. In strict mode, json-c 0.18 rejects every byte above
 * ASCII. */
#include "json/scan.h"

#include <ctype.h>
#include <string.h>

#include "base/text_hex.h"
#include "base/text_utf8.h"

/* An integer with this many characters or more, including a minus sign, is read as a double. json-c
 * would turn an integer beyond 64 bits into the nearest 64-bit integer. */
#define LONG_INTEGER 19

/* Upper bounds for the memory that json-c 0.16 allocates. An object starts with a table of 16
 * names, which doubles as the object grows. */
#define OBJECT_MEMORY 1024
#define ITEM_MEMORY 320
/* for a string: json-c's text, json-c's growing buffer, and the scan's copy */
#define BYTE_MEMORY 6

struct scan {
    const char *at; /* the next token */
    const char *end;
    const struct json_bounds *bounds;
    struct arena *arena;
    struct text json;
    char *copy;       /* NULL: nothing has been rewritten so far */
    size_t length;    /* bytes in the copy so far */
    const char *left; /* beginning of the part that is not copied yet */
    size_t items, objects;
    int depth;
    bool is_after_comma;
    /* whether the last name in the outermost object is the name of a bounded list */
    bool is_list_named;
    bool is_list;    /* whether the array at depth 2 is a bounded list */
    size_t elements; /* items in the bounded list so far */
    const char *message;
};

static const char not_json[] = "is not well-formed JSON";
static const char not_utf8[] = "is not valid UTF-8";
const char json_list_too_long[] = "contains a list that is too long";

static bool refuse(struct scan *scan, const char *message)
{
    scan->message = message;
    return false;
}

static bool count_item(struct scan *scan)
{
    scan->is_after_comma = false;
    if (scan->is_list && scan->depth == 2 && ++scan->elements > scan->bounds->elements_max)
        return refuse(scan, json_list_too_long);
    return ++scan->items <= scan->bounds->items_max ||
           refuse(scan, "contains too many names and values");
}

static void put(struct scan *scan, const char *bytes, size_t length)
{
    memcpy(scan->copy + scan->length, bytes, length);
    scan->length += length;
}

/* Copies the text before `at`. The copy has space for twice the text, because an escape of six
 * bytes becomes at most ten bytes. */
static void copy_until(struct scan *scan, const char *at)
{
    if (!scan->copy) {
        scan->copy = arena_allocate(scan->arena, 2 * scan->json.length);
        scan->left = scan->json.bytes;
    }
    put(scan, scan->left, (size_t)(at - scan->left));
    scan->left = at;
}

/* Returns the code unit of the escape \uXXXX at `at`; -1 for any other escape. */
static int code_unit(const char *at, const char *end)
{
    unsigned char unit[2];
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u' ||
        !text_parse_hex((struct text){at + 2, 4}, unit))
        return -1;
    return unit[0] << 8 | unit[1];
}

/* Returns the length of the escape at `at`, including the second half of a surrogate pair, or 0 if
 * the escape is not valid JSON. *lost receives whether json-c would lose the character. */
static size_t measure_escape(const char *at, const char *end, bool *lost)
{
    *lost = false;
    if (end - at < 2)
        return 0;
    if (at[1] != 'u')
        return memchr("\"\\/bfnrt", at[1], 8) ? 2 : 0;
    int unit = code_unit(at, end), next;
    if (unit < 0)
        return 0;
    *lost = unit == 0;
    if (unit < 0xD800 || unit > 0xDFFF)
        return 6;
    next = unit <= 0xDBFF ? code_unit(at + 6, end) : -1;
    bool is_pair = next >= 0xDC00 && next <= 0xDFFF;
    *lost = !is_pair;
    return is_pair ? 12 : 6;
}

/* Moves to the next quote, backslash or control character, or to the end. Returns false if the
 * bytes before that place are not UTF-8. */
static bool skip_plain(struct scan *scan)
{
    while (scan->at < scan->end) {
        const unsigned char byte = (unsigned char)*scan->at;
        if (byte < ' ' || byte == '"' || byte == '\\')
            return true;
        const struct text rest = {scan->at, (size_t)(scan->end - scan->at)};
        const size_t length = byte < 0x80 ? 1 : text_first_length(rest);
        if (length == 0)
            return refuse(scan, not_utf8);
        scan->at += length;
    }
    return true;
}

/* Moves past the closing quote. *lost becomes true if the string contains an escape that json-c
 * would lose. */
static bool scan_content(struct scan *scan, bool *lost)
{
    while (skip_plain(scan) && scan->at < scan->end) {
        if (*scan->at == '"') {
            scan->at++;
            return true;
        }
        if (*scan->at != '\\')
            return refuse(scan, "contains a control character inside a string");
        bool is_lost;
        const size_t length = measure_escape(scan->at, scan->end, &is_lost);
        if (length == 0)
            return refuse(scan, "contains an invalid escape sequence");
        *lost = *lost || is_lost;
        scan->at += length;
    }
    return !scan->message && refuse(scan, "ends inside a string");
}

/* Replaces each escape that json-c would lose with the mark and the escape's digits. In json-c, a
 * name would otherwise end at a NUL, and could become a name that the service uses. */
static void rewrite(struct scan *scan, const char *start, const char *mark)
{
    size_t length;
    for (const char *at = start; at < scan->at; at += length) {
        bool is_lost = false;
        length = *at == '\\' ? measure_escape(at, scan->end, &is_lost) : 1;
        if (!is_lost)
            continue;
        copy_until(scan, at);
        put(scan, mark, strlen(mark));
        scan->left += strlen("\\u");
    }
}

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

static bool is_name(const struct scan *scan)
{
    const char *at = scan->at;
    while (at < scan->end && is_space(*at))
        at++;
    return at < scan->end && *at == ':';
}

/* Returns whether the name can be the name of a bounded list. A name that contains an escape can be
 * any name. */
static bool is_list_name(const struct scan *scan, const char *start)
{
    const char *const *lists = scan->bounds->lists;
    const struct text name = {start, (size_t)(scan->at - 1 - start)};
    if (lists[0] && memchr(name.bytes, '\\', name.length))
        return true;
    return (lists[0] && text_equals(name, text_of(lists[0]))) ||
           (lists[1] && text_equals(name, text_of(lists[1])));
}

static bool scan_string(struct scan *scan)
{
    const char *start = ++scan->at;
    bool lost = false;
    if (!scan_content(scan, &lost))
        return false;
    if (scan->depth == 1 && is_name(scan))
        scan->is_list_named = is_list_name(scan, start);
    if (lost)
        rewrite(scan, start, is_name(scan) ? "?" : "\\u0000");
    return true;
}

static bool scan_digits(struct scan *scan)
{
    const char *start = scan->at;
    while (scan->at < scan->end && isdigit((unsigned char)*scan->at))
        scan->at++;
    return scan->at > start;
}

static bool skip_any(struct scan *scan, const char *characters)
{
    if (scan->at == scan->end || !*scan->at || !strchr(characters, *scan->at))
        return false;
    scan->at++;
    return true;
}

static bool scan_number(struct scan *scan)
{
    const char *start = scan->at;
    skip_any(scan, "-");
    const char *digits = scan->at;
    bool well_formed = scan_digits(scan) && !(*digits == '0' && scan->at - digits > 1);
    const char *integer_end = scan->at;
    if (well_formed && skip_any(scan, "."))
        well_formed = scan_digits(scan);
    if (well_formed && skip_any(scan, "eE")) {
        skip_any(scan, "+-");
        well_formed = scan_digits(scan);
    }
    if (!well_formed || (scan->at < scan->end && !is_space(*scan->at) && !strchr(",]}", *scan->at)))
        return refuse(scan, "contains a malformed number");
    if (scan->at == integer_end && scan->at - start >= LONG_INTEGER) {
        copy_until(scan, scan->at);
        put(scan, ".0", 2);
    }
    return true;
}

static bool scan_literal(struct scan *scan)
{
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(literals[i]);
        if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, literals[i], length) != 0)
            continue;
        scan->at += length;
        return true;
    }
    return refuse(scan, not_json);
}

static bool leave(struct scan *scan)
{
    scan->at++;
    if (scan->is_after_comma || --scan->depth < 0)
        return refuse(scan, not_json);
    while (scan->depth == 0 && scan->at < scan->end && is_space(*scan->at))
        scan->at++;
    return scan->depth > 0 || scan->at == scan->end || refuse(scan, not_json);
}

static bool scan_token(struct scan *scan)
{
    const char first = *scan->at;
    if (is_space(first) || first == ':' || first == ',') {
        scan->is_after_comma = scan->is_after_comma || first == ',';
        scan->at++;
        return true;
    }
    if (first == '}' || first == ']')
        return leave(scan);
    if (!count_item(scan))
        return false;
    if (first == '{' || first == '[') {
        scan->at++;
        scan->objects += first == '{';
        if (scan->depth == 1) {
            scan->is_list = first == '[' && scan->is_list_named;
            scan->elements = 0;
        }
        return ++scan->depth <= JSON_NESTING_MAX || refuse(scan, "is nested too deeply");
    }
    if (first == '"')
        return scan_string(scan);
    return first == '-' || isdigit((unsigned char)first) ? scan_number(scan) : scan_literal(scan);
}

const char *json_scan(struct text json, const struct json_bounds *bounds, struct arena *arena,
                      struct json_scanned *out)
{
    struct scan scan = {.at = json.bytes,
                        .end = json.bytes + json.length,
                        .bounds = bounds,
                        .arena = arena,
                        .json = json};
    /* Only strings contain bytes above ASCII, so a text without a fault is UTF-8. If a faulty text
     * is not UTF-8, the encoding is reported instead of the other fault. */
    while (scan.at < scan.end)
        if (!scan_token(&scan))
            return text_is_utf8(json.bytes, json.length) ? scan.message : not_utf8;
    if (scan.copy)
        copy_until(&scan, scan.end);
    out->text = scan.copy ? (struct text){scan.copy, scan.length} : json;
    out->memory =
        scan.objects * OBJECT_MEMORY + scan.items * ITEM_MEMORY + out->text.length * BYTE_MEMORY;
    return NULL;
}
