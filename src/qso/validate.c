/* Turns one JSON entry into a QSO by walking the field table.
 *
 * A value that does not fit is rejected, never bent into shape: only white space around texts and
 * the case of locators and UUIDs are normalised. Knows neither the database nor the clock. */
#include "qso/validate.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "base/datetime.h"
#include "qso/locator.h"
#include "base/uuid.h"
#include "qso/fields.h"

/* Integers beyond this are out of every bound of the table; a double still holds them exactly. */
#define INTEGER_MAGNITUDE_MAX 9e15

static const struct rejection *reject(struct arena *arena, const struct field *field,
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
    return field->format_rejection ? field->format_rejection : reject(arena, field, sentence);
}

static const struct rejection *reject_range(struct arena *arena, const struct field *field,
                                            const char *noun)
{
    if (field->range_rejection)
        return field->range_rejection;
    return reject(arena, field,
                  arena_print(arena, "must be %s from %lld to %lld", noun,
                              (long long)field->minimum, (long long)field->maximum));
}

static bool is_string(struct json_object *json)
{
    return json_object_is_type(json, json_type_string);
}

static struct text string_of(struct json_object *json)
{
    struct text text = {json_object_get_string(json), (size_t)json_object_get_string_len(json)};
    return text;
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

static const struct rejection *read_uuid(const struct field *field, struct json_object *json,
                                         struct arena *arena, struct value *value)
{
    unsigned char *uuid = arena_allocate(arena, UUID_BYTES);
    if (!is_string(json) || !uuid_parse_text(string_of(json), uuid))
        return reject_format(arena, field, "must be a UUID");
    set_text(value, (const char *)uuid, UUID_BYTES);
    return NULL;
}

static const struct rejection *reject_choice(const struct field *field, struct arena *arena)
{
    const char *list = field->choices[0];
    for (size_t i = 1; field->choices[i]; i++)
        list = arena_print(arena, "%s, %s", list, field->choices[i]);
    return reject(arena, field, arena_print(arena, "must be one of %s", list));
}

static const struct rejection *read_choice(const struct field *field, struct json_object *json,
                                           struct arena *arena, struct value *value)
{
    if (!is_string(json))
        return reject_choice(field, arena);
    for (size_t i = 0; field->choices[i]; i++)
        if (text_equals(string_of(json), text_of(field->choices[i]))) {
            set_integer(value, (int64_t)i);
            return NULL;
        }
    return reject_choice(field, arena);
}

static const struct rejection *read_datetime(const struct field *field, struct json_object *json,
                                             struct arena *arena, struct value *value)
{
    int64_t ms;
    if (!is_string(json) || !datetime_parse(string_of(json), &ms))
        return reject_format(arena, field, "must be an ISO 8601 date-time with a time zone");
    set_integer(value, ms);
    return NULL;
}

/* ^\d{1,3}\.\d{3}$, read as kHz */
static bool parse_frequency(struct text text, int64_t *khz)
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

static const struct rejection *read_frequency(const struct field *field, struct json_object *json,
                                              struct arena *arena, struct value *value)
{
    int64_t khz;
    if (!is_string(json) || !parse_frequency(text_trim(string_of(json)), &khz))
        return reject_format(arena, field, "must be a string with exactly 3 decimals");
    if (khz < field->minimum || khz > field->maximum)
        return reject_range(arena, field, "a frequency in kHz");
    set_integer(value, khz);
    return NULL;
}

static const struct rejection *read_integer(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    int64_t integer;
    if (json_object_is_type(json, json_type_int)) {
        integer = json_object_get_int64(json);
    } else if (json_object_is_type(json, json_type_double)) {
        double real = json_object_get_double(json);
        if (!isfinite(real) || real != trunc(real))
            return reject(arena, field, "must be an integer");
        integer = (int64_t)fmax(-INTEGER_MAGNITUDE_MAX, fmin(INTEGER_MAGNITUDE_MAX, real));
    } else {
        return reject(arena, field, "must be an integer");
    }
    if (integer < field->minimum || integer > field->maximum)
        return reject_range(arena, field, "an integer");
    set_integer(value, integer);
    return NULL;
}

static const struct rejection *read_real(const struct field *field, struct json_object *json,
                                         struct arena *arena, struct value *value)
{
    if (!json_object_is_type(json, json_type_int) && !json_object_is_type(json, json_type_double))
        return reject(arena, field, "must be a number");
    double real = json_object_get_double(json);
    if (!(real >= (double)field->minimum && real <= (double)field->maximum))
        return reject_range(arena, field, "a number");
    value->real = real;
    value->presence = VALUE_PRESENT;
    return NULL;
}

static const struct rejection *read_boolean(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    if (!json_object_is_type(json, json_type_boolean))
        return reject(arena, field, "must be true or false");
    set_integer(value, json_object_get_boolean(json) ? 1 : 0);
    return NULL;
}

static const struct rejection *read_locator(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    char *normal = arena_allocate(arena, LOCATOR_LENGTH_MAX);
    struct text text = is_string(json) ? text_trim(string_of(json)) : (struct text){0};
    if (!text.bytes || !locator_normalise(text, normal))
        return reject_format(arena, field, "must be a Maidenhead locator");
    set_text(value, normal, text.length);
    return NULL;
}

static const struct rejection *read_pattern(const struct field *field, struct json_object *json,
                                            struct arena *arena, struct value *value)
{
    struct text text = is_string(json) ? text_trim(string_of(json)) : (struct text){0};
    if (!text.bytes || !field->matches(text))
        return reject_format(arena, field, "does not have the right form");
    set_text(value, arena_copy(arena, text.bytes, text.length), text.length);
    return NULL;
}

static const struct rejection *read_text(const struct field *field, struct json_object *json,
                                         struct arena *arena, struct value *value)
{
    if (!is_string(json))
        return reject(arena, field, "must be a string");
    struct text text = text_trim(string_of(json));
    if (text_has_nul(text))
        return reject(arena, field, "must not contain U+0000 or half of a surrogate pair");
    if (text.length > (size_t)field->maximum &&
        text_count_code_points(text) > (size_t)field->maximum)
        return reject(
            arena, field,
            arena_print(arena, "must be at most %lld characters", (long long)field->maximum));
    if (text.length > 0)
        set_text(value, arena_copy(arena, text.bytes, text.length), text.length);
    return NULL;
}

typedef const struct rejection *reader(const struct field *field, struct json_object *json,
                                       struct arena *arena, struct value *value);

static reader *const readers[] = {
    [KIND_UUID] = read_uuid,         [KIND_CHOICE] = read_choice,
    [KIND_DATETIME] = read_datetime, [KIND_FREQUENCY] = read_frequency,
    [KIND_INTEGER] = read_integer,   [KIND_REAL] = read_real,
    [KIND_BOOLEAN] = read_boolean,   [KIND_LOCATOR] = read_locator,
    [KIND_PATTERN] = read_pattern,   [KIND_TEXT] = read_text,
};

/* The value of one field. A null is no value where the field may be empty; a required field's null
 * is a value that does not fit. */
static const struct rejection *read_value(const struct field *field, struct json_object *json,
                                          bool sent, unsigned band, struct arena *arena,
                                          struct value *value)
{
    bool demanded = (field->flags & FIELD_REQUIRED) || (field->demanding_bands & band);
    value->presence = sent ? VALUE_NULL : VALUE_OMITTED;
    if (!sent || (!json && !(field->flags & FIELD_REQUIRED)))
        return demanded ? reject(arena, field, "is required") : NULL;
    if (field->bands && !(field->bands & band))
        return reject(arena, field, "must be absent or null on this band");
    return readers[field->kind](field, json, arena, value);
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
