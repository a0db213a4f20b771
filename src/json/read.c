/* Reads JSON by json-c: one parse a text, after a pass that refuses what json-c is lax about
 * (scan.c), and one walk of the fields. The arena owns what json-c allocated: texts are views into
 * it. Of a name that is there twice the last value counts. */
#include "json/read.h"

#include <json-c/json.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "json/scan.h"

struct json_field {
    struct text name;
    struct json_value value;
};

struct json_fields {
    struct json_object *object;
    size_t count;
    struct json_field fields[];
};

/* -- Parsing ----------------------------------------------------------------------------------- */

/* What the text's brackets, commas and colons can be wrong in. Any other error is json-c's own: the
 * pass before it has found the tokens to be good. */
static bool is_syntax_error(enum json_tokener_error error)
{
    return error == json_tokener_continue || error == json_tokener_error_parse_eof ||
           error == json_tokener_error_parse_unexpected ||
           error == json_tokener_error_parse_array ||
           error == json_tokener_error_parse_object_key_name ||
           error == json_tokener_error_parse_object_key_sep ||
           error == json_tokener_error_parse_object_value_sep;
}

/* json-c 0.16 has no error for lack of memory. It returns NULL, or the inner array that it was at,
 * and calls that a success; or it goes on without a name, or with the beginning of a string; or, at
 * a name, it crashes. So whether there is enough is asked of the system first, */
static bool has_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

/* and what came of a text is weighed as the text was (struct json_scanned). */
static size_t weigh(struct json_object *value)
{
    size_t weight = 1, count;
    switch (json_object_get_type(value)) {
    case json_type_string:
        return weight + (size_t)json_object_get_string_len(value);
    case json_type_array:
        count = json_object_array_length(value);
        for (size_t i = 0; i < count; i++)
            weight += weigh(json_object_array_get_idx(value, i));
        return weight;
    case json_type_object: {
        json_object_object_foreach(value, name, field) weight += 1 + strlen(name) + weigh(field);
        return weight;
    }
    default:
        return weight;
    }
}

/* Returns NULL, with the message or, if memory was lacking, without one. */
static struct json_object *parse_once(struct text text, const char **message)
{
    /* json-c counts the values in the innermost array, too. */
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

/* What came of it is lighter than the text if a name is there twice; then it is so again, which a
 * failed allocation is not. */
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

/* The object of a text, which the arena owns; NULL, and *message says why. */
static struct json_object *parse(struct text json, struct arena *arena, const char **message)
{
    struct json_scanned scanned;
    struct json_object *value = NULL;
    size_t blank = 0;
    *message = json_scan(json, arena, &scanned);
    if (*message)
        return NULL;
    while (blank < json.length && memchr(" \t\r\n", json.bytes[blank], 4))
        blank++;
    if (blank == json.length || json.bytes[blank] != '{') {
        *message = blank == json.length ? "is not well-formed JSON" : "must be an object";
        return NULL;
    }
    if (has_memory(scanned.memory))
        value = parse_weighed(&scanned, message);
    if (value)
        arena_own(arena, value, put);
    else if (!*message)
        log_line("out of memory: %zu bytes could not be allocated", scanned.memory);
    return value;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* The digits behind each U+0000 (scan.h) become a text of their own. */
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

static void read_string(struct json_object *string, struct arena *arena, struct json_value *value)
{
    value->text =
        (struct text){json_object_get_string(string), (size_t)json_object_get_string_len(string)};
    if (text_has_nul(value->text))
        take_lost(value, arena);
}

static struct json_value read_value(struct json_object *json, struct arena *arena)
{
    struct json_value value = {.kind = JSON_NESTED};
    switch (json_object_get_type(json)) {
    case json_type_null:
        value.kind = JSON_NULL;
        break;
    case json_type_boolean:
        value.kind = json_object_get_boolean(json) ? JSON_TRUE : JSON_FALSE;
        break;
    case json_type_int:
        value.kind = JSON_INTEGER;
        value.integer = json_object_get_int64(json);
        break;
    case json_type_double:
        value.kind = JSON_REAL;
        value.real = json_object_get_double(json);
        break;
    case json_type_string:
        value.kind = JSON_STRING;
        read_string(json, arena, &value);
        break;
    case json_type_object:
    case json_type_array:
        break;
    }
    return value;
}

/* -- An object --------------------------------------------------------------------------------- */

static const struct json_fields *read_fields(struct json_object *object, struct arena *arena)
{
    size_t count = (size_t)json_object_object_length(object);
    struct json_fields *fields =
        arena_allocate(arena, sizeof *fields + count * sizeof *fields->fields);
    fields->object = object;
    fields->count = 0;
    json_object_object_foreach(object, name, value)
    {
        struct json_field *field = &fields->fields[fields->count++];
        field->name = text_of(name);
        field->value = read_value(value, arena);
    }
    return fields;
}

const struct json_fields *json_read_object(struct text json, struct arena *arena,
                                           const char **message)
{
    struct json_object *object = parse(json, arena, message);
    return object ? read_fields(object, arena) : NULL;
}

const struct json_fields *json_read_inner(struct text json, const char *name, struct arena *arena,
                                          const char **message)
{
    struct json_object *object = parse(json, arena, message), *inner;
    if (!object)
        return NULL;
    if (json_object_object_get_ex(object, name, &inner) &&
        json_object_is_type(inner, json_type_object))
        return read_fields(inner, arena);
    *message = arena_print(arena, "has no object \"%s\"", name);
    return NULL;
}

const struct json_value *json_field_at(const struct json_fields *object, size_t number,
                                       struct text *name)
{
    if (number >= object->count)
        return NULL;
    *name = object->fields[number].name;
    return &object->fields[number].value;
}

static const struct json_value *find(const struct json_fields *object, const char *name)
{
    const struct text wanted = text_of(name);
    for (size_t i = 0; i < object->count; i++)
        if (text_equals(object->fields[i].name, wanted))
            return &object->fields[i].value;
    return NULL;
}

static enum json_kind kind_of(const struct json_fields *object, const char *name)
{
    const struct json_value *value = find(object, name);
    return value ? value->kind : JSON_MISSING;
}

struct text json_read_text(const struct json_fields *object, const char *name)
{
    const struct json_value *value = find(object, name);
    return value && value->kind == JSON_STRING ? value->text : (struct text){0};
}

bool json_read_count(const struct json_fields *object, const char *name, int64_t *out)
{
    const struct json_value *value = find(object, name);
    if (!value || value->kind != JSON_INTEGER)
        return text_parse_integer(text_trim(json_read_text(object, name)), 0, INT64_MAX, out);
    if (value->integer < 0)
        return false;
    *out = value->integer;
    return true;
}

bool json_has(const struct json_fields *object, const char *name)
{
    return kind_of(object, name) != JSON_MISSING;
}

bool json_has_flag(const struct json_fields *object, const char *name)
{
    enum json_kind kind = kind_of(object, name);
    return kind == JSON_TRUE || kind == JSON_FALSE;
}

bool json_read_flag(const struct json_fields *object, const char *name)
{
    return kind_of(object, name) == JSON_TRUE;
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

bool json_read_list(struct text body, const struct json_list_plan *plan, struct arena *arena,
                    struct json_list *list, const char **message)
{
    const struct json_fields *object = json_read_object(body, arena, message);
    if (object)
        json_list_of(object, plan, arena, list);
    return object != NULL;
}
