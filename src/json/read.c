/* Reads JSON with json-c: one parse per text, after a pass that rejects the input about which
 * json-c is lax (scan.c), and one walk through the fields. The arena owns the memory that json-c
 * allocated: texts are views into it. If a name occurs twice, its last value counts. */
#include "json/read.h"

#include <ctype.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

struct json_fields {
    struct json_object *object;
    struct arena *arena;
};

/* -- Parsing ----------------------------------------------------------------------------------- */

/* Errors in the text's brackets, commas and colons. Any other error is json-c's own: the earlier
 * pass has already validated the tokens. */
static bool is_syntax_error(enum json_tokener_error error)
{
    return error == json_tokener_continue || error == json_tokener_error_parse_eof ||
           error == json_tokener_error_parse_unexpected ||
           error == json_tokener_error_parse_array ||
           error == json_tokener_error_parse_object_key_name ||
           error == json_tokener_error_parse_object_key_sep ||
           error == json_tokener_error_parse_object_value_sep;
}

/* json-c 0.16 does not report that memory has run out. It may return NULL or an inner array as a
 * success, continue without a name or with the start of a string, or crash. So the system is asked
 * first whether enough memory is available. */
static bool has_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

/* Weighs the result like the text (struct json_scanned), to find parts that json-c lost. */
static size_t weigh(struct json_object *value)
{
    size_t weight = 1;
    if (json_object_is_type(value, json_type_string))
        return weight + (size_t)json_object_get_string_len(value);
    if (json_object_is_type(value, json_type_array))
        for (size_t i = json_object_array_length(value); i > 0; i--)
            weight += weigh(json_object_array_get_idx(value, i - 1));
    if (!json_object_is_type(value, json_type_object))
        return weight;
    json_object_object_foreach(value, name, field) weight += 1 + strlen(name) + weigh(field);
    return weight;
}

/* Returns NULL, with the message or, if memory ran out, without one. */
static struct json_object *parse_once(struct text text, const char **message)
{
    /* json-c also counts the values in the innermost array. */
    struct json_tokener *tokener = json_tokener_new_ex(JSON_NESTING_MAX + 1);
    *message = NULL;
    if (!tokener)
        return NULL;
    text = text_trim(text);
    struct json_object *value = json_tokener_parse_ex(tokener, text.bytes, (int)text.length);
    bool is_whole = value && json_tokener_get_parse_end(tokener) == text.length;
    if (is_syntax_error(json_tokener_get_error(tokener)))
        *message = "is not well-formed JSON";
    json_tokener_free(tokener);
    if (is_whole)
        return value;
    json_object_put(value);
    return NULL;
}

/* The result is lighter than the text if a name occurs twice. A second parse then gives the same
 * weight, unlike a failed allocation. */
static struct json_object *parse_weighed(const struct json_scanned *scanned, const char **message)
{
    struct json_object *value = parse_once(scanned->text, message);
    size_t weight = value ? weigh(value) : scanned->weight;
    if (weight == scanned->weight)
        return value;
    json_object_put(value);
    value = parse_once(scanned->text, message);
    if (!value || weigh(value) == weight)
        return value;
    json_object_put(value);
    return NULL;
}

static void put(void *value)
{
    json_object_put(value);
}

/* The object of a text, which the arena owns; NULL, with the reason in *message, if it cannot be
 * read. */
static struct json_object *parse(struct text json, const struct json_bounds *bounds,
                                 struct arena *arena, const char **message)
{
    struct json_scanned scanned;
    struct json_object *value = NULL;
    *message = json_scan(json, bounds, arena, &scanned);
    if (*message)
        return NULL;
    const size_t blank = text_count_leading(json, isspace);
    if (blank == json.length || json.bytes[blank] != '{') {
        *message = blank == json.length ? "is not well-formed JSON" : "must be an object";
        return NULL;
    }
    if (has_memory(scanned.memory))
        value = parse_weighed(&scanned, message);
    if (value)
        arena_add_cleanup(arena, value, put);
    else if (!*message)
        log_line("out of memory: %zu bytes could not be allocated", scanned.memory);
    return value;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* The digits after each U+0000 (scan.h) become a separate text. */
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

static struct json_value read_value(struct json_object *json, struct arena *arena)
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

/* -- An object --------------------------------------------------------------------------------- */

static const struct json_fields *fields_of(struct json_object *object, struct arena *arena)
{
    struct json_fields *fields = arena_allocate(arena, sizeof *fields);
    *fields = (struct json_fields){object, arena};
    return fields;
}

const struct json_fields *json_read_object(struct text json, const struct json_bounds *bounds,
                                           struct arena *arena, const char **message)
{
    struct json_object *object = parse(json, bounds, arena, message);
    return object ? fields_of(object, arena) : NULL;
}

const struct json_fields *json_find_object(const struct json_fields *object, const char *name)
{
    struct json_object *inner;
    return json_object_object_get_ex(object->object, name, &inner) &&
                   json_object_is_type(inner, json_type_object)
               ? fields_of(inner, object->arena)
               : NULL;
}

void json_each(const struct json_fields *object, json_visitor *visit, void *context)
{
    json_object_object_foreach(object->object, name, json)
    {
        const struct json_value value = read_value(json, object->arena);
        visit(context, text_of(name), &value);
    }
}

bool json_each_item(const struct json_fields *object, const char *name, json_visitor *visit,
                    void *context)
{
    struct json_object *array;
    if (!json_object_object_get_ex(object->object, name, &array) ||
        !json_object_is_type(array, json_type_array))
        return false;
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        const struct json_value value =
            read_value(json_object_array_get_idx(array, i), object->arena);
        visit(context, (struct text){0}, &value);
    }
    return true;
}

static struct json_value find(const struct json_fields *object, const char *name)
{
    struct json_object *value;
    return json_object_object_get_ex(object->object, name, &value)
               ? read_value(value, object->arena)
               : (struct json_value){.kind = JSON_MISSING};
}

struct text json_read_text(const struct json_fields *object, const char *name)
{
    const struct json_value value = find(object, name);
    return value.kind == JSON_STRING ? value.text : (struct text){0};
}

bool json_read_count(const struct json_fields *object, const char *name, int64_t *out)
{
    const struct json_value value = find(object, name);
    if (value.kind != JSON_INTEGER)
        return text_parse_integer(text_trim(json_read_text(object, name)), 0, INT64_MAX, out);
    if (value.integer < 0)
        return false;
    *out = value.integer;
    return true;
}

bool json_has(const struct json_fields *object, const char *name)
{
    return find(object, name).kind != JSON_MISSING;
}

bool json_has_flag(const struct json_fields *object, const char *name)
{
    const enum json_kind kind = find(object, name).kind;
    return kind == JSON_TRUE || kind == JSON_FALSE;
}

bool json_read_flag(const struct json_fields *object, const char *name)
{
    return find(object, name).kind == JSON_TRUE;
}

/* -- A list of objects ------------------------------------------------------------------------- */

static struct json_value *read_element(struct json_object *object,
                                       const struct json_list_plan *plan, struct arena *arena)
{
    if (!json_object_is_type(object, json_type_object))
        return NULL;
    struct json_value *fields = arena_allocate_zeroed(arena, plan->fields_max * sizeof *fields);
    json_object_object_foreach(object, name, value)
    {
        int number = plan->find(text_of(name));
        if (number >= 0)
            fields[number] = read_value(value, arena);
    }
    return fields;
}

void json_list_of(const struct json_fields *object, const struct json_list_plan *plan,
                  struct arena *arena, struct json_list *list)
{
    struct json_object *array;
    *list = (struct json_list){0};
    json_object_object_get_ex(object->object, plan->list, &array);
    list->is_array = json_object_is_type(array, json_type_array);
    list->count = list->is_array ? json_object_array_length(array) : 0;
    size_t taken = list->count < plan->elements_max ? list->count : plan->elements_max;
    list->elements = arena_allocate(arena, taken * sizeof *list->elements);
    for (size_t i = 0; i < taken; i++)
        list->elements[i] = read_element(json_object_array_get_idx(array, i), plan, arena);
}
