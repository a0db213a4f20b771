/* Applies the rows of the field table to single values: parses and formats them.
 *
 * A value that does not fit is rejected, never corrected. Only white space around texts and the
 * case of locators and UUIDs are normalised. */
#include "qso/values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/text.h"
#include "base/text_utf8.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/locator.h"

/* Rejects a value. The message is the field's name, followed by `sentence`. */
static const struct rejection *reject_value(struct arena *arena, const struct field *field,
                                            const char *sentence)
{
    struct rejection *rejection = arena_allocate_zeroed(arena, sizeof *rejection);
    rejection->code = arena_print(arena, "%s %s", field->name, sentence);
    rejection->permanent = true;
    rejection->field = field->name;
    rejection->reason = rejection->code + strlen(field->name) + 1;
    return rejection;
}

/* Rejects a value with a stable code. */
static const struct rejection *reject_with(struct arena *arena, const struct field *field,
                                           const struct rejection *row)
{
    struct rejection *rejection = arena_allocate(arena, sizeof *rejection);
    *rejection = *row;
    rejection->field = field->name;
    return rejection;
}

static const struct rejection *reject_range(struct arena *arena, const struct field *field,
                                            const char *noun)
{
    if (field->range_rejection)
        return reject_with(arena, field, field->range_rejection);
    return reject_value(arena, field,
                        arena_print(arena, "must be %s from %lld to %lld", noun,
                                    (long long)field->minimum, (long long)field->maximum));
}

static const struct rejection *set_text(struct value *value, const void *bytes, size_t length)
{
    value->text = bytes;
    value->length = (uint32_t)length;
    value->state = VALUE_PRESENT;
    return NULL;
}

static const struct rejection *set_integer(struct value *value, int64_t integer)
{
    value->integer = integer;
    value->state = VALUE_PRESENT;
    return NULL;
}

static const struct rejection *reject_form(struct arena *arena, const struct field *field)
{
    static const char *const sentences[] = {
        [KIND_UUID] = "must be a UUID",
        [KIND_DATETIME] = "must be an ISO 8601 date-time with a time zone",
        [KIND_FREQUENCY] = "must be a string with exactly 3 decimals",
        [KIND_INTEGER] = "must be an integer",
        [KIND_REAL] = "must be a number",
        [KIND_BOOLEAN] = "must be true or false",
        [KIND_LOCATOR] = "must be a Maidenhead locator",
        [KIND_PATTERN] = "does not have the required format",
        [KIND_TEXT] = "must be a string",
        [KIND_ID] = "must be an integer",
    };
    if (field->format_rejection)
        return reject_with(arena, field, field->format_rejection);
    if (field->kind != KIND_CHOICE)
        return reject_value(arena, field, sentences[field->kind]);
    const char *list = field->choices[0];
    for (size_t i = 1; field->choices[i]; i++)
        list = arena_print(arena, "%s, %s", list, field->choices[i]);
    return reject_value(arena, field, arena_print(arena, "must be one of %s", list));
}

/* Converts a text in MHz with the pattern ^\d{1,3}\.\d{3}$ to kHz. */
static bool parse_khz(struct text text, int64_t *khz)
{
    int64_t rest;
    struct text decimals = text, whole = text_split_next(&decimals, '.');
    if (whole.length < 1 || whole.length > 3 || decimals.length != 3 ||
        text_count_leading(whole, isdigit) + text_count_leading(decimals, isdigit) + 1 !=
            text.length ||
        !text_parse_integer(whole, 0, 999, khz) || !text_parse_integer(decimals, 0, 999, &rest))
        return false;
    *khz = *khz * 1000 + rest;
    return true;
}

static bool parse_real(struct text text, struct arena *arena, double *real)
{
    char *end, *copy = arena_copy(arena, text.bytes, text.length);
    *real = strtod(copy, &end);
    return text.length > 0 && strspn(copy, "0123456789+-.eE") == text.length && !*end;
}

static const struct rejection *parse_text(const struct field *field, struct text text,
                                          struct arena *arena, struct value *value)
{
    if (text_has_nul(text))
        return reject_value(arena, field, "must not contain U+0000 or half of a surrogate pair");
    if (text.length > (size_t)field->maximum &&
        text_count_code_points(text) > (size_t)field->maximum)
        return reject_value(
            arena, field,
            arena_print(arena, "must be at most %lld characters", (long long)field->maximum));
    return text.length > 0
               ? set_text(value, arena_copy(arena, text.bytes, text.length), text.length)
               : NULL;
}

const struct rejection *values_parse(const struct field *field, struct text text,
                                     struct arena *arena, struct value *value)
{
    const struct text trimmed = text_trim(text);
    char normal[LOCATOR_LENGTH_MAX], *copy;
    unsigned char uuid[UUID_BYTES];
    int64_t integer;
    double real;
    if (!text.bytes)
        return reject_form(arena, field);
    switch (field->kind) {
    case KIND_UUID:
        if (uuid_parse_text(text, uuid))
            return set_text(value, arena_copy(arena, uuid, UUID_BYTES), UUID_BYTES);
        break;
    case KIND_CHOICE:
        for (int64_t i = 0; field->choices[i]; i++)
            if (text_equals(text, text_of(field->choices[i])))
                return set_integer(value, i);
        break;
    case KIND_DATETIME:
        if (datetime_parse(text, &integer))
            return set_integer(value, integer);
        break;
    case KIND_FREQUENCY:
        if (parse_khz(trimmed, &integer))
            return values_set_integer(field, integer, arena, value);
        break;
    case KIND_INTEGER:
    case KIND_ID:
        if (text_parse_integer(text, INT64_MIN, INT64_MAX, &integer))
            return values_set_integer(field, integer, arena, value);
        break;
    case KIND_REAL:
        if (parse_real(text, arena, &real))
            return values_set_real(field, real, arena, value);
        break;
    case KIND_BOOLEAN:
        if (text_equals(text, text_of("true")) || text_equals(text, text_of("false")))
            return set_integer(value, text.bytes[0] == 't');
        break;
    case KIND_LOCATOR:
        if (locator_normalise(trimmed, normal))
            return set_text(value, arena_copy(arena, normal, trimmed.length), trimmed.length);
        break;
    case KIND_PATTERN:
        copy = arena_copy(arena, trimmed.bytes, trimmed.length);
        if (!text_has_nul(trimmed) && fields_matches(field, copy))
            return set_text(value, copy, trimmed.length);
        break;
    case KIND_TEXT:
        return parse_text(field, trimmed, arena, value);
    }
    return reject_form(arena, field);
}

const struct rejection *values_set_integer(const struct field *field, int64_t integer,
                                           struct arena *arena, struct value *value)
{
    if (integer < field->minimum || integer > field->maximum)
        return reject_range(arena, field,
                            field->kind == KIND_FREQUENCY ? "a frequency in kHz" : "an integer");
    return set_integer(value, integer);
}

const struct rejection *values_set_real(const struct field *field, double real, struct arena *arena,
                                        struct value *value)
{
    if (!(real >= (double)field->minimum && real <= (double)field->maximum))
        return reject_range(arena, field, "a number");
    value->real = real;
    value->state = VALUE_PRESENT;
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
    if (field->kind == KIND_BOOLEAN)
        return (a->state == VALUE_PRESENT && a->integer) ==
               (b->state == VALUE_PRESENT && b->integer);
    if (a->state != VALUE_PRESENT || b->state != VALUE_PRESENT)
        return a->state != VALUE_PRESENT && b->state != VALUE_PRESENT;
    if (fields_has_text(field))
        return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    return field->kind == KIND_REAL ? a->real == b->real : a->integer == b->integer;
}
