/* Converts json-c's values into `struct json_value`. */
#include "json/value.h"

#include <json-c/json.h>
#include <string.h>

#include "json/scan.h"

/* Moves the digits after each U+0000 (scan.h) to a separate text. */
static void take_lost(struct json_value *value, struct arena *arena)
{
    size_t length = 0, lost_length = 0;
    char *bytes = arena_copy(arena, value->text.bytes, value->text.length);
    char *lost = arena_allocate(arena, value->text.length);
    for (size_t i = 0; i < value->text.length; i++) {
        bytes[length++] = bytes[i];
        if (bytes[i] != '\0')
            continue;
        memcpy(lost + lost_length, bytes + i + 1, JSON_LOST_DIGITS);
        lost_length += JSON_LOST_DIGITS;
        i += JSON_LOST_DIGITS;
    }
    value->text = (struct text){bytes, length};
    value->lost = lost;
}

static struct json_value read_string(struct json_object *string, struct arena *arena)
{
    struct json_value value = {.kind = JSON_STRING, .text.bytes = json_object_get_string(string)};
    value.text.length = (size_t)json_object_get_string_len(string);
    if (text_has_nul(value.text))
        take_lost(&value, arena);
    return value;
}

struct json_value json_value_of(struct json_object *json, struct arena *arena)
{
    switch (json_object_get_type(json)) {
    case json_type_null:
        return (struct json_value){.kind = JSON_NULL};
    case json_type_boolean:
        return (struct json_value){.kind = json_object_get_boolean(json) ? JSON_TRUE : JSON_FALSE};
    case json_type_int:
        return (struct json_value){.kind = JSON_INTEGER, .integer = json_object_get_int64(json)};
    case json_type_double:
        return (struct json_value){.kind = JSON_REAL, .real = json_object_get_double(json)};
    case json_type_string:
        return read_string(json, arena);
    default:
        return (struct json_value){.kind = JSON_NESTED};
    }
}
