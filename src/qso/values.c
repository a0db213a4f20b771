/* Applies the rows of the field table to single values, in both directions.
 *
 * A value that does not fit is rejected, never corrected: only white space around texts and the
 * case of locators and UUIDs are normalised. An entry of a batch becomes a QSO by a walk through
 * the table. Knows no database and no clock: what needs them is decided in the store. */
#include "qso/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/uuid.h"
#include "json/write.h"
#include "qso/fields.h"
#include "qso/locator.h"

/* A permanent rejection whose sentence begins with the field's name. */
static const struct rejection *reject_value(struct arena *arena, const struct field *field,
                                            const char *sentence)
{
    struct rejection *rejection = arena_allocate_zeroed(arena, sizeof *rejection);
    rejection->code = arena_print(arena, "%s %s", field->name, sentence);
    rejection->permanent = true;
    return rejection;
}

static const struct rejection *reject_format(struct arena *arena, const struct field *field,
                                             const char *sentence)
{
    return field->format_rejection ? field->format_rejection : reject_value(arena, field, sentence);
}

static const struct rejection *reject_range(struct arena *arena, const struct field *field,
                                            const char *noun)
{
    if (field->range_rejection)
        return field->range_rejection;
    return reject_value(arena, field,
                        arena_print(arena, "must be %s from %lld to %lld", noun,
                                    (long long)field->minimum, (long long)field->maximum));
}

static void set_text(struct value *value, const char *bytes, size_t length)
{
    value->text = bytes;
    value->length = (uint32_t)length;
    value->presence = VALUE_PRESENT;
}

static void set_integer(struct value *value, int64_t integer)
{
    value->integer = integer;
    value->presence = VALUE_PRESENT;
}

/* -- Text to value ----------------------------------------------------------------------------- */

static const struct rejection *parse_uuid(const struct field *field, struct text text,
                                          struct arena *arena, struct value *value)
{
    unsigned char *uuid = arena_allocate(arena, UUID_BYTES);
    if (!text.bytes || !uuid_parse_text(text, uuid))
        return reject_format(arena, field, "must be a UUID");
    set_text(value, (const char *)uuid, UUID_BYTES);
    return NULL;
}

static const struct rejection *parse_choice(const struct field *field, struct text text,
                                            struct arena *arena, struct value *value)
{
    const char *list = field->choices[0];
    for (size_t i = 0; field->choices[i]; i++)
        if (text_equals(text, text_of(field->choices[i]))) {
            set_integer(value, (int64_t)i);
            return NULL;
        }
    for (size_t i = 1; field->choices[i]; i++)
        list = arena_print(arena, "%s, %s", list, field->choices[i]);
    return reject_value(arena, field, arena_print(arena, "must be one of %s", list));
}

static const struct rejection *parse_datetime(const struct field *field, struct text text,
                                              struct arena *arena, struct value *value)
{
    int64_t ms;
    if (!text.bytes || !datetime_parse(text, &ms))
        return reject_format(arena, field, "must be an ISO 8601 date-time with a time zone");
    set_integer(value, ms);
    return NULL;
}

/* ^\d{1,3}\.\d{3}$, read as kHz */
static bool parse_khz(struct text text, int64_t *khz)
{
    if (text.length < 5 || text.length > 7 || text.bytes[text.length - 4] != '.')
        return false;
    int64_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (i == text.length - 4)
            continue;
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
        value = value * 10 + (text.bytes[i] - '0');
    }
    *khz = value;
    return true;
}

static const struct rejection *parse_frequency(const struct field *field, struct text text,
                                               struct arena *arena, struct value *value)
{
    int64_t khz;
    if (!text.bytes || !parse_khz(text_trim(text), &khz))
        return reject_format(arena, field, "must be a string with exactly 3 decimals");
    return values_set_integer(field, khz, arena, value);
}

static const struct rejection *parse_integer(const struct field *field, struct text text,
                                             struct arena *arena, struct value *value)
{
    int64_t integer;
    if (!text.bytes || !text_parse_integer(text, INT64_MIN, INT64_MAX, &integer))
        return reject_value(arena, field, "must be an integer");
    return values_set_integer(field, integer, arena, value);
}

static const struct rejection *parse_real(const struct field *field, struct text text,
                                          struct arena *arena, struct value *value)
{
    for (size_t i = 0; i < text.length; i++)
        if (!text.bytes[i] || !strchr("0123456789+-.eE", text.bytes[i]))
            return reject_value(arena, field, "must be a number");
    char *end, *copy = arena_copy(arena, text.bytes, text.length);
    double real = strtod(copy, &end);
    if (text.length == 0 || *end)
        return reject_value(arena, field, "must be a number");
    return values_set_real(field, real, arena, value);
}

static const struct rejection *parse_boolean(const struct field *field, struct text text,
                                             struct arena *arena, struct value *value)
{
    bool is_true = text_equals(text, text_of("true"));
    if (!is_true && !text_equals(text, text_of("false")))
        return reject_value(arena, field, "must be true or false");
    set_integer(value, is_true);
    return NULL;
}

static const struct rejection *parse_locator(const struct field *field, struct text text,
                                             struct arena *arena, struct value *value)
{
    char *normal = arena_allocate(arena, LOCATOR_LENGTH_MAX);
    text = text.bytes ? text_trim(text) : text;
    if (!text.bytes || !locator_normalise(text, normal))
        return reject_format(arena, field, "must be a Maidenhead locator");
    set_text(value, normal, text.length);
    return NULL;
}

static const struct rejection *parse_pattern(const struct field *field, struct text text,
                                             struct arena *arena, struct value *value)
{
    text = text.bytes ? text_trim(text) : text;
    if (!text.bytes || !field->matches(text))
        return reject_format(arena, field, "does not have the right form");
    set_text(value, arena_copy(arena, text.bytes, text.length), text.length);
    return NULL;
}

static const struct rejection *parse_text(const struct field *field, struct text text,
                                          struct arena *arena, struct value *value)
{
    if (!text.bytes)
        return reject_value(arena, field, "must be a string");
    text = text_trim(text);
    if (text_has_nul(text))
        return reject_value(arena, field, "must not contain U+0000 or half of a surrogate pair");
    if (text.length > (size_t)field->maximum &&
        text_count_code_points(text) > (size_t)field->maximum)
        return reject_value(
            arena, field,
            arena_print(arena, "must be at most %lld characters", (long long)field->maximum));
    if (text.length > 0)
        set_text(value, arena_copy(arena, text.bytes, text.length), text.length);
    return NULL;
}

typedef const struct rejection *parser(const struct field *field, struct text text,
                                       struct arena *arena, struct value *value);

static parser *const parsers[] = {
    [KIND_UUID] = parse_uuid,         [KIND_CHOICE] = parse_choice,
    [KIND_DATETIME] = parse_datetime, [KIND_FREQUENCY] = parse_frequency,
    [KIND_INTEGER] = parse_integer,   [KIND_REAL] = parse_real,
    [KIND_BOOLEAN] = parse_boolean,   [KIND_LOCATOR] = parse_locator,
    [KIND_PATTERN] = parse_pattern,   [KIND_TEXT] = parse_text,
    [KIND_ID] = parse_integer,
};

const struct rejection *values_parse(const struct field *field, struct text text,
                                     struct arena *arena, struct value *value)
{
    return parsers[field->kind](field, text, arena, value);
}

/* -- Numbers and bands ------------------------------------------------------------------------- */

const struct rejection *values_set_integer(const struct field *field, int64_t integer,
                                           struct arena *arena, struct value *value)
{
    if (integer < field->minimum || integer > field->maximum)
        return reject_range(arena, field,
                            field->kind == KIND_FREQUENCY ? "a frequency in kHz" : "an integer");
    set_integer(value, integer);
    return NULL;
}

const struct rejection *values_set_real(const struct field *field, double real, struct arena *arena,
                                        struct value *value)
{
    if (!(real >= (double)field->minimum && real <= (double)field->maximum))
        return reject_range(arena, field, "a number");
    value->real = real;
    value->presence = VALUE_PRESENT;
    return NULL;
}

const struct rejection *values_check_band(const struct field *field, unsigned band, bool sent,
                                          struct arena *arena)
{
    bool demanded = (field->flags & FIELD_REQUIRED) || (field->demanding_bands & band);
    if (!sent)
        return demanded ? reject_value(arena, field, "is required") : NULL;
    if (field->bands && !(field->bands & band))
        return reject_value(arena, field, "must be absent or null on this band");
    return NULL;
}

/* -- Value to text ----------------------------------------------------------------------------- */

void values_format(const struct field *field, const struct value *value, struct buffer *buffer)
{
    switch (field->kind) {
    case KIND_UUID:
        uuid_format_text((const unsigned char *)value->text,
                         buffer_reserve(buffer, UUID_TEXT_LENGTH + 1));
        buffer->length += UUID_TEXT_LENGTH;
        break;
    case KIND_CHOICE:
        buffer_append_string(buffer, field->choices[value->integer]);
        break;
    case KIND_DATETIME:
        datetime_format(value->integer, buffer_reserve(buffer, DATETIME_TEXT_LENGTH));
        buffer->length += DATETIME_TEXT_LENGTH;
        break;
    case KIND_FREQUENCY:
        buffer_print(buffer, "%02d.%03d", (int)(value->integer / 1000),
                     (int)(value->integer % 1000));
        break;
    case KIND_INTEGER:
    case KIND_ID:
        buffer_append_integer(buffer, value->integer);
        break;
    case KIND_REAL:
        buffer_append_real(buffer, value->real);
        break;
    case KIND_BOOLEAN:
        buffer_append_string(buffer, value->integer ? "true" : "false");
        break;
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        buffer_append(buffer, value->text, value->length);
        break;
    }
}

bool values_equal(const struct field *field, const struct value *a, const struct value *b)
{
    if (a->presence != VALUE_PRESENT || b->presence != VALUE_PRESENT)
        return a->presence != VALUE_PRESENT && b->presence != VALUE_PRESENT;
    switch (field->kind) {
    case KIND_UUID:
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    case KIND_REAL:
        return a->real == b->real;
    default:
        return a->integer == b->integer;
    }
}

/* -- An entry of a batch ------------------------------------------------------------------------
 */

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
        return reject_value(arena, field, "must be an integer");
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
        return reject_value(arena, field, "must be a number");
    return values_set_real(field, json->real + 0.0, arena, value);
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
        return values_parse(field,
                            text_of(json->kind == JSON_TRUE    ? "true"
                                    : json->kind == JSON_FALSE ? "false"
                                                               : NULL),
                            arena, value);
    default:
        return values_parse(field, json->kind == JSON_STRING ? json->text : (struct text){0}, arena,
                            value);
    }
}

/* The value of one field. Null means no value if the field may be empty; in a required field it
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

/* -- A QSO as JSON ----------------------------------------------------------------------------- */

/* Writes QSOs as JSON, straight from the field table into a buffer: this is where a page of 500
 * QSOs spends its time. Decides nothing about what may be shown to whom; the store reads no more
 * than that. */

static void render_value(const struct field *field, const struct value *value,
                         struct buffer *buffer)
{
    switch (field->kind) {
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        json_append_string(buffer, value->text, value->length);
        break;
    case KIND_INTEGER:
    case KIND_REAL:
    case KIND_BOOLEAN:
        values_format(field, value, buffer);
        break;
    case KIND_UUID:
    case KIND_CHOICE:
    case KIND_DATETIME:
    case KIND_FREQUENCY:
    case KIND_ID:
        buffer_append(buffer, "\"", 1);
        values_format(field, value, buffer);
        buffer_append(buffer, "\"", 1);
        break;
    }
}

void render_field(enum field_index field, const struct value *value, struct buffer *buffer)
{
    if (value->presence == VALUE_PRESENT)
        render_value(&fields[field], value, buffer);
    else
        buffer_append(buffer, "null", 4);
}

void render_qso(const struct qso *qso, struct buffer *buffer)
{
    char separator = '{';
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        if (field->flags & FIELD_WRITE_ONLY)
            continue;
        buffer_append(buffer, &separator, 1);
        buffer_append(buffer, field->json_key, field->json_key_length);
        render_field((enum field_index)i, &qso->values[i], buffer);
        separator = ',';
    }
    buffer_append(buffer, "}", 1);
}

/* Compares the content of QSOs by the field table: whether a write changes anything, and what it
 * changes. What the service sets itself is no content. Single values are compared by values.c, but
 * for booleans, which have a value in every stored QSO. */

bool content_has_equal(const struct field *field, const struct value *one,
                       const struct value *other)
{
    if (field->kind == KIND_BOOLEAN)
        return (one->presence == VALUE_PRESENT && one->integer) ==
               (other->presence == VALUE_PRESENT && other->integer);
    return values_equal(field, one, other);
}

bool content_is_equal(const struct qso *one, const struct qso *other)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (content_has(&fields[i]) &&
            !content_has_equal(&fields[i], &one->values[i], &other->values[i]))
            return false;
    return true;
}
