/* Turns one JSON entry into a QSO by walking the field table; what a value's text may be is decided
 * in values.c. Knows neither the database nor the clock. */
#include "qso/validate.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "qso/fields.h"
#include "qso/values.h"

/* Integers beyond this are out of every bound of the table; a double still holds them exactly. */
#define INTEGER_MAGNITUDE_MAX 9e15

static struct text string_of(struct json_object *json)
{
    struct text text = {0};
    if (json_object_is_type(json, json_type_string)) {
        text.bytes = json_object_get_string(json);
        text.length = (size_t)json_object_get_string_len(json);
    }
    return text;
}

static const struct rejection *read_integer(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    if (json_object_is_type(json, json_type_int))
        return values_set_integer(field, json_object_get_int64(json), arena, value);
    double real = json_object_get_double(json);
    if (!json_object_is_type(json, json_type_double) || !isfinite(real) || real != trunc(real))
        return values_reject(arena, field, "must be an integer");
    real = fmax(-INTEGER_MAGNITUDE_MAX, fmin(INTEGER_MAGNITUDE_MAX, real));
    return values_set_integer(field, (int64_t)real, arena, value);
}

static const struct rejection *read_real(const struct field *field, struct json_object *json,
                                         struct arena *arena, struct value *value)
{
    if (!json_object_is_type(json, json_type_int) && !json_object_is_type(json, json_type_double))
        return values_reject(arena, field, "must be a number");
    return values_set_real(field, json_object_get_double(json), arena, value);
}

static const struct rejection *read_boolean(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    if (!json_object_is_type(json, json_type_boolean))
        return values_reject(arena, field, "must be true or false");
    return values_parse(field, text_of(json_object_get_boolean(json) ? "true" : "false"), arena,
                        value);
}

static const struct rejection *read_json(const struct field *field, struct json_object *json,
                                         struct arena *arena, struct value *value)
{
    switch (field->kind) {
    case KIND_INTEGER:
        return read_integer(field, json, arena, value);
    case KIND_REAL:
        return read_real(field, json, arena, value);
    case KIND_BOOLEAN:
        return read_boolean(field, json, arena, value);
    default:
        return values_parse(field, string_of(json), arena, value);
    }
}

/* The value of one field. A null is no value where the field may be empty; a required field's null
 * is a value that does not fit. */
static const struct rejection *read_value(const struct field *field, struct json_object *json,
                                          bool sent, unsigned band, struct arena *arena,
                                          struct value *value)
{
    value->presence = sent ? VALUE_NULL : VALUE_OMITTED;
    if (!json && !(field->flags & FIELD_REQUIRED)) /* null: no value */
        sent = false;
    const struct rejection *rejection = values_check_band(field, band, sent, arena);
    return rejection || !sent ? rejection : read_json(field, json, arena, value);
}

const struct rejection *validate_qso(struct json_object *entry, struct arena *arena,
                                     struct qso *out)
{
    static const struct rejection not_an_object = {.code = "a QSO must be an object",
                                                   .permanent = true};

    if (!json_object_is_type(entry, json_type_object))
        return &not_an_object;
    memset(out, 0, sizeof *out);
    unsigned band = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].flags & FIELD_READ_ONLY)
            continue;
        struct json_object *json = NULL;
        bool sent = json_object_object_get_ex(entry, fields[i].name, &json);
        const struct rejection *rejection =
            read_value(&fields[i], json, sent, band, arena, &out->values[i]);
        if (rejection)
            return rejection;
        if (i == FIELD_BAND)
            band = 1u << out->values[i].integer;
    }
    return NULL;
}
