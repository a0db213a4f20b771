/* Finds the fields of an object. parse.c parses the text, and value.c reads a value. */
#include "json/read.h"

#include <json-c/json.h>

#include "json/parse.h"

static const struct json_fields *fields_of(struct json_object *object, struct arena *arena)
{
    struct json_fields *fields = arena_allocate(arena, sizeof *fields);
    *fields = (struct json_fields){object, arena};
    return fields;
}

const struct json_fields *json_read_object(struct text json, const struct json_bounds *bounds,
                                           struct arena *arena, const char **message)
{
    struct json_object *object = json_parse(json, bounds, arena, message);
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
        const struct json_value value = json_value_of(json, object->arena);
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
            json_value_of(json_object_array_get_idx(array, i), object->arena);
        visit(context, (struct text){0}, &value);
    }
    return true;
}

static struct json_value find(const struct json_fields *object, const char *name)
{
    struct json_object *value;
    return json_object_object_get_ex(object->object, name, &value)
               ? json_value_of(value, object->arena)
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
