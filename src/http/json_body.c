/* Bodies are parsed by json-c. It forgives more than RFC 8259 does, even when told to be strict:
 * quotes of the other kind, NaN, control characters, "1.", "-01", overlong UTF-8. All that is
 * judged here, in one pass over the text, which also leaves out what nobody will ask for: json-c
 * takes 800 bytes for an empty object of two characters. */
#include "http/json_body.h"

#include <assert.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "http/json_scan.h"

/* The largest piece of memory that json-c asks for is the table of an object's members: 40 bytes
 * for each of up to three times as many as there are, each at least five characters long. */
#define LARGEST_PIECE_TIMES 24
#define LARGEST_PIECE_LEAST 4096
#define NAME_MAX_BYTES 64

/* A name with escapes is rarely sent, and means the same as without. One that is longer than any
 * known name, or holds what JSON can write and UTF-8 cannot, is no known name. */
static struct text decode_name(struct text name, bool has_escape, char out[NAME_MAX_BYTES])
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    size_t length = 0;
    if (!has_escape)
        return name;
    for (size_t i = 0; i < name.length; length++) {
        int unit = json_scan_code_unit(name.bytes + i, name.bytes + name.length);
        if (length == NAME_MAX_BYTES || unit == 0 || unit > 0x7F)
            return (struct text){"", 0};
        if (name.bytes[i] != '\\') {
            out[length] = name.bytes[i++];
        } else if (unit > 0) {
            out[length] = (char)unit;
            i += 6;
        } else {
            const char *letter = strchr(letters, name.bytes[i + 1]);
            out[length] = letter ? values[letter - letters] : name.bytes[i + 1];
            i += 2;
        }
    }
    return (struct text){out, length};
}

/* "\ud83d" becomes "\u0000" where it is no pair. */
static void replace_halves(char *at, const char *end)
{
    while (at < end) {
        bool is_half = false;
        int length = *at != '\\' ? 1
                     : json_scan_code_unit(at, end) < 0
                         ? 2
                         : json_scan_escape_length(at, end, &is_half);
        if (is_half)
            memset(at + 2, '0', 4);
        at += length;
    }
}

/* An object of the list while its known members move together, over those that are left out. */
struct compaction {
    const struct json_body_plan *plan;
    struct arena *arena;
    struct json_element *element;
    char *out; /* where the next member goes */
    bool has_members;
};

static void keep_member(struct compaction *compaction, const char *start, size_t length)
{
    if (compaction->has_members)
        *compaction->out++ = ',';
    memmove(compaction->out, start, length);
    compaction->out += length;
    compaction->has_members = true;
}

/* A value that is an object or an array fits no member, whatever it holds. */
static char *shorten_value(char *value, char *end)
{
    if (*value != '{' && *value != '[')
        return end;
    memcpy(value, "[]", 2);
    return value + 2;
}

static bool scan_element_member(struct json_scan *scan, struct compaction *compaction)
{
    char decoded[NAME_MAX_BYTES];
    struct text raw;
    json_scan_next(scan);
    char *start = scan->at;
    if (!json_scan_name(scan, &raw))
        return false;
    struct text name = decode_name(raw, scan->has_escape, decoded);
    char *value = scan->at;
    scan->has_half = false;
    if (!json_scan_value(scan))
        return false;
    if (!compaction->plan->is_known(name))
        return true;
    bool is_repeated = text_equals(name, text_of(compaction->plan->repeated));
    bool is_string = *value == '"';
    size_t value_length = (size_t)(shorten_value(value, scan->at) - value);
    struct text as_sent = {NULL, value_length};
    if (is_string && scan->has_half) {
        as_sent.bytes = arena_copy(compaction->arena, value, value_length);
        replace_halves(value, value + value_length);
    }
    keep_member(compaction, start, (size_t)(value - start) + value_length);
    if (is_string && !as_sent.bytes)
        as_sent.bytes = compaction->out - value_length;
    if (is_repeated)
        compaction->element->repeated = as_sent;
    return true;
}

static bool scan_element_object(struct json_scan *scan, struct compaction *compaction)
{
    const char *start = scan->at;
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    compaction->out = scan->at;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false)
        if (!scan_element_member(scan, compaction))
            return false;
    if (scan->message)
        return false;
    *compaction->out++ = '}';
    compaction->element->object = (struct text){start, (size_t)(compaction->out - start)};
    return true;
}

static bool scan_element(struct json_scan *scan, const struct json_body_plan *plan,
                         struct arena *arena, struct json_list *list)
{
    if (list->count >= plan->elements_max) {
        list->count++;
        return json_scan_value(scan);
    }
    struct json_element *element = &list->elements[list->count++];
    memset(element, 0, sizeof *element);
    struct compaction compaction = {.plan = plan, .arena = arena, .element = element};
    return json_scan_next(scan) == '{' ? scan_element_object(scan, &compaction)
                                       : json_scan_value(scan);
}

static bool scan_list(struct json_scan *scan, const struct json_body_plan *plan,
                      struct arena *arena, struct json_list *list)
{
    bool more = true;
    list->is_array = *scan->at == '[';
    list->count = 0;
    if (!list->is_array)
        return json_scan_value(scan);
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, ']', first, &more) && more; first = false)
        if (!scan_element(scan, plan, arena, list))
            return false;
    return !scan->message;
}

static bool scan_body(struct json_scan *scan, const struct json_body_plan *plan,
                      struct arena *arena, struct json_list *list)
{
    char decoded[NAME_MAX_BYTES];
    struct text name;
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false) {
        if (!json_scan_name(scan, &name))
            return false;
        bool is_list =
            text_equals(decode_name(name, scan->has_escape, decoded), text_of(plan->list));
        if (is_list ? !scan_list(scan, plan, arena, list) : !json_scan_value(scan))
            return false;
    }
    return !scan->message;
}

bool json_body_scan(struct text body, const struct json_body_plan *plan, struct arena *arena,
                    struct json_list *list, const char **message)
{
    char *start = (char *)(uintptr_t)body.bytes;
    struct json_scan scan = {.at = start, .end = start + body.length};
    *list = (struct json_list){
        .elements = arena_allocate(arena, plan->elements_max * sizeof *list->elements)};
    bool good =
        text_is_utf8(body.bytes, body.length) || json_scan_refuse(&scan, "is not valid UTF-8");
    bool is_object = good && json_scan_next(&scan) == '{';
    if (good)
        good = is_object ? scan_body(&scan, plan, arena, list) : json_scan_value(&scan);
    if (good && (json_scan_next(&scan) || scan.at < scan.end))
        good = json_scan_refuse_syntax(&scan);
    if (good && !is_object)
        good = json_scan_refuse(&scan, "must be an object");
    *message = scan.message;
    return good;
}

/* -- json-c ------------------------------------------------------------------------------------ */

/* Where json-c finds no memory it leaves out a value without a word, or calls the text malformed.
 * While it still holds all that it took, there must have been memory for any of its pieces. */
static void check_memory(size_t length)
{
    free(memory_allocate(length * LARGEST_PIECE_TIMES + LARGEST_PIECE_LEAST));
}

struct json_object *json_body_parse(struct text object)
{
    static struct json_tokener *tokener;
    assert(object.length <= INT_MAX);
    if (!tokener)
        tokener = json_tokener_new_ex(JSON_NESTING_MAX + 1);
    struct json_object *json =
        tokener ? json_tokener_parse_ex(tokener, object.bytes, (int)object.length) : NULL;
    check_memory(object.length);
    assert(json);
    json_tokener_reset(tokener);
    return json;
}

void json_body_free(struct json_object *json)
{
    json_object_put(json);
}
