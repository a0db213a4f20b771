/* Validates the fields of an entry in the order of the field table, which is also the order of
 * rejections. */
#include "qso/entry.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "qso/fields.h"
#include "qso/values.h"

/* Any integer above this value exceeds every bound in the table. A double can represent this value
 * exactly. */
#define INTEGER_MAGNITUDE_MAX 9e15

/* Reads the field's value from JSON. An integer can be written as 5.0. The real number -0 becomes
 * 0. */
static const struct rejection *read_json(const struct field *field, const struct json_value *json,
                                         struct arena *arena, struct value *value)
{
    struct text text = {0};
    double real = json->kind == JSON_INTEGER ? (double)json->integer
                  : json->kind == JSON_REAL  ? json->real
                                             : NAN;
    if (field->kind == KIND_INTEGER && json->kind == JSON_INTEGER)
        return values_set_integer(field, json->integer, arena, value);
    if (field->kind == KIND_INTEGER && isfinite(real) && real == trunc(real))
        return values_set_integer(
            field, (int64_t)fmax(-INTEGER_MAGNITUDE_MAX, fmin(INTEGER_MAGNITUDE_MAX, real)), arena,
            value);
    if (field->kind == KIND_REAL && (json->kind == JSON_INTEGER || json->kind == JSON_REAL))
        return values_set_real(field, real + 0.0, arena, value);
    if (field->kind == KIND_BOOLEAN)
        text = text_of(json->kind == JSON_TRUE    ? "true"
                       : json->kind == JSON_FALSE ? "false"
                                                  : NULL);
    else if (json->kind == JSON_STRING && field->kind != KIND_INTEGER && field->kind != KIND_REAL)
        text = json->text;
    return values_parse(field, text, arena, value);
}

/* Reads the value of one field. If the field can be empty, null means no value. If the field is
 * required, null is rejected as a value that does not fit. */
static const struct rejection *read_value(const struct field *field, const struct json_value *json,
                                          unsigned band, struct arena *arena, struct value *value)
{
    bool sent = json->kind != JSON_MISSING;
    value->state = sent ? VALUE_NULL : VALUE_OMITTED;
    if (json->kind == JSON_NULL && !(field->flags & FIELD_REQUIRED))
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
