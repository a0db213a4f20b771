/* Turns one JSON entry into a QSO, or a rejection, by walking the field table; values.c decides
 * what the text of a value may be. Knows neither the database nor the clock: what needs them is
 * decided in the store. */
#include "qso/validate.h"

#include <math.h>
#include <string.h>

#include "qso/fields.h"
#include "qso/values.h"

/* Integers beyond this are outside every bound of the table; a double still holds it exactly. */
#define INTEGER_MAGNITUDE_MAX 9e15

static const struct rejection *read_integer(const struct field *field,
                                            const struct json_value *json, struct arena *arena,
                                            struct value *value)
{
    if (json->kind == JSON_INTEGER)
        return values_set_integer(field, json->integer, arena, value);
    double real = json->kind == JSON_REAL ? json->real : NAN;
    if (!isfinite(real) || real != trunc(real))
        return values_reject(arena, field, "must be an integer");
    real = fmax(-INTEGER_MAGNITUDE_MAX, fmin(INTEGER_MAGNITUDE_MAX, real));
    return values_set_integer(field, (int64_t)real, arena, value);
}

/* -0 is written as 0. */
static const struct rejection *read_real(const struct field *field, const struct json_value *json,
                                         struct arena *arena, struct value *value)
{
    if (json->kind == JSON_INTEGER)
        return values_set_real(field, (double)json->integer, arena, value);
    if (json->kind != JSON_REAL)
        return values_reject(arena, field, "must be a number");
    return values_set_real(field, json->real + 0.0, arena, value);
}

static const struct rejection *read_boolean(const struct field *field,
                                            const struct json_value *json, struct arena *arena,
                                            struct value *value)
{
    if (json->kind != JSON_TRUE && json->kind != JSON_FALSE)
        return values_reject(arena, field, "must be true or false");
    return values_parse(field, text_of(json->kind == JSON_TRUE ? "true" : "false"), arena, value);
}

static const struct rejection *read_json(const struct field *field, const struct json_value *json,
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
        return values_parse(field, json->kind == JSON_STRING ? json->text : (struct text){0}, arena,
                            value);
    }
}

/* The value of one field. Null means no value where the field may be empty; in a required field it
 * is a value that does not fit. */
static const struct rejection *read_value(const struct field *field, const struct json_value *json,
                                          unsigned band, struct arena *arena, struct value *value)
{
    bool sent = json->kind != JSON_MISSING;
    value->presence = sent ? VALUE_NULL : VALUE_OMITTED;
    if (json->kind == JSON_NULL && !(field->flags & FIELD_REQUIRED)) /* no value */
        sent = false;
    const struct rejection *rejection = values_check_band(field, band, sent, arena);
    return rejection || !sent ? rejection : read_json(field, json, arena, value);
}

const struct rejection *validate_qso(const struct json_value *sent, struct arena *arena,
                                     struct qso *out)
{
    static const struct rejection not_an_object = {.code = "a QSO must be an object",
                                                   .permanent = true};

    if (!sent)
        return &not_an_object;
    memset(out, 0, sizeof *out);
    unsigned band = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].flags & FIELD_READ_ONLY)
            continue;
        const struct rejection *rejection =
            read_value(&fields[i], &sent[i], band, arena, &out->values[i]);
        if (rejection)
            return rejection;
        if (i == FIELD_BAND)
            band = 1u << out->values[i].integer;
    }
    return NULL;
}
