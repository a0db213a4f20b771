/* Bodies are parsed by json-c. It forgives more than RFC 8259 does, even when told to be strict:
 * quotes of the other kind, NaN, control characters, "1.", "-01", overlong UTF-8 and lone
 * surrogates, which it replaces. What it would let through is refused here before, in one pass over
 * the text. */
#include "http/json_body.h"

#include <assert.h>
#include <json-c/json.h>
#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* No piece of memory that json-c asks for is larger than a text that grows to the length of the
 * body, or the largest table of members. */
#define LARGEST_PIECE_TIMES 2
#define LARGEST_TABLE_BYTES (4 << 20) /* of JSON_BODY_ITEMS_MAX members */
#define USUAL_ITEMS_MAX 16384

/* Whether the body that was parsed last took megabytes in json-c. */
static bool was_large;

struct scan {
    const char *at;
    const char *end;
    int depth;
    int items;    /* names and values so far */
    bool has_nul; /* the present string holds \u0000 */
    const char *message;
};

static bool refuse(struct scan *scan, const char *message)
{
    scan->message = message;
    return false;
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    digit = (char)(digit | 0x20);
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* The code unit of \uXXXX at `at`, or -1. */
static int code_unit(const char *at, const char *end)
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

static bool scan_escape(struct scan *scan)
{
    if (scan->end - scan->at < 2)
        return refuse(scan, "ends inside a string");
    if (scan->at[1] != 'u') {
        if (!memchr("\"\\/bfnrt", scan->at[1], 8))
            return refuse(scan, "holds an escape that JSON does not know");
        scan->at += 2;
        return true;
    }
    int unit = code_unit(scan->at, scan->end);
    if (unit < 0)
        return refuse(scan, "holds an escape that JSON does not know");
    scan->has_nul |= unit == 0;
    scan->at += 6;
    if (unit < 0xD800 || unit > 0xDFFF)
        return true;
    int low = unit <= 0xDBFF ? code_unit(scan->at, scan->end) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return refuse(scan, "holds half of a surrogate pair");
    scan->at += 6;
    return true;
}

static bool scan_string(struct scan *scan)
{
    scan->at++;
    while (scan->at < scan->end) {
        unsigned char byte = (unsigned char)*scan->at;
        if (byte == '"') {
            scan->at++;
            return true;
        }
        if (byte < 0x20)
            return refuse(scan, "holds a control character inside a string");
        if (byte == '\\') {
            if (!scan_escape(scan))
                return false;
        } else {
            scan->at++;
        }
    }
    return refuse(scan, "ends inside a string");
}

static size_t scan_digits(struct scan *scan)
{
    const char *start = scan->at;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
        scan->at++;
    return (size_t)(scan->at - start);
}

static bool at_any(const struct scan *scan, const char *characters)
{
    return scan->at < scan->end && *scan->at && strchr(characters, *scan->at);
}

static bool scan_number(struct scan *scan)
{
    static const char message[] = "holds a malformed number";
    if (*scan->at == '-')
        scan->at++;
    bool zero = at_any(scan, "0");
    size_t digits = scan_digits(scan);
    if (digits == 0 || (zero && digits > 1))
        return refuse(scan, message);
    if (at_any(scan, ".")) {
        scan->at++;
        if (scan_digits(scan) == 0)
            return refuse(scan, message);
    }
    if (at_any(scan, "eE")) {
        scan->at++;
        if (at_any(scan, "+-"))
            scan->at++;
        if (scan_digits(scan) == 0)
            return refuse(scan, message);
    }
    return true;
}

static bool scan_literal(struct scan *scan)
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
    return refuse(scan, "is not well-formed JSON");
}

/* json-c cuts a member's name at U+0000 and would take "notes\u0000" for "notes". Such a name is
 * none that we know, and stays so with another character in the place. */
static void keep_name_unknown(struct scan *scan, const char *name)
{
    const char *colon = scan->at;
    while (colon < scan->end && *colon && strchr(" \t\r\n", *colon))
        colon++;
    if (colon == scan->end || *colon != ':')
        return;
    for (const char *at = name; at + 6 <= scan->at; at += *at == '\\' ? 2 : 1)
        if (code_unit(at, scan->at) == 0)
            *(char *)(uintptr_t)(at + 5) = '1';
}

static bool scan_string_or_name(struct scan *scan)
{
    const char *start = scan->at;
    scan->has_nul = false;
    if (!scan_string(scan))
        return false;
    if (scan->has_nul)
        keep_name_unknown(scan, start);
    return true;
}

static bool scan_item(struct scan *scan)
{
    char character = *scan->at;
    if (++scan->items > JSON_BODY_ITEMS_MAX)
        return refuse(scan, "holds too many names and values");
    if (character == '"')
        return scan_string_or_name(scan);
    if (character == '-' || (character >= '0' && character <= '9'))
        return scan_number(scan);
    if (character != '{' && character != '[')
        return scan_literal(scan);
    if (++scan->depth > JSON_BODY_NESTING_MAX)
        return refuse(scan, "is nested too deeply");
    scan->at++;
    return true;
}

/* One token; how tokens follow one another is left to json-c. */
static bool scan_token(struct scan *scan)
{
    switch (*scan->at) {
    case ']':
    case '}':
        scan->depth--;
        break;
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case ',':
    case ':':
        break;
    default:
        return scan_item(scan);
    }
    scan->at++;
    return true;
}

static bool is_plain_json(struct text text, const char **message)
{
    struct scan scan = {.at = text.bytes, .end = text.bytes + text.length};
    bool plain = text_is_utf8(text.bytes, text.length) || refuse(&scan, "is not valid UTF-8");
    while (plain && scan.at < scan.end)
        plain = scan_token(&scan);
    was_large = scan.items > USUAL_ITEMS_MAX;
    *message = scan.message;
    return plain;
}

/* Where json-c finds no memory it leaves out a value without a word, or calls the body malformed.
 * While it still holds all that it took, there must have been memory for any of its pieces. */
static void check_memory(struct text text)
{
    free(memory_allocate(text.length * LARGEST_PIECE_TIMES + LARGEST_TABLE_BYTES));
}

struct json_object *json_body_parse(struct text text, const char **message)
{
    if (text.length > INT_MAX || !is_plain_json(text, message))
        return NULL;
    *message = "is not well-formed JSON";
    struct json_tokener *tokener = json_tokener_new_ex(JSON_BODY_NESTING_MAX + 1);
    struct json_object *json = NULL;
    if (tokener) {
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
        json = json_tokener_parse_ex(tokener, text.bytes, (int)text.length);
    }
    check_memory(text);
    assert(tokener);
    /* A number at the very end is complete only when something follows it; such a body is no
     * object and is refused anyway. */
    bool complete = json_tokener_get_error(tokener) == json_tokener_success &&
                    json_tokener_get_parse_end(tokener) == text.length;
    json_tokener_free(tokener);
    if (!complete) {
        json_object_put(json);
        return NULL;
    }
    if (!json_object_is_type(json, json_type_object)) {
        *message = "must be an object";
        json_object_put(json);
        return NULL;
    }
    return json;
}

/* The C library gives memory back only from the end of its heap, where the database has allocated
 * meanwhile: after a large body it has to be asked. */
void json_body_free(struct json_object *json)
{
    json_object_put(json);
    if (was_large)
        malloc_trim(0);
}
