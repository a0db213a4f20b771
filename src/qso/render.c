/* Writes QSOs as JSON, straight from the field table into a buffer: this is where a page of 500
 * QSOs spends its time. Decides nothing about what may be shown to whom; the store reads no more
 * than that. */
#include "qso/render.h"

#include <string.h>

#include "json/write.h"
#include "qso/fields.h"
#include "qso/values.h"

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

/* Copies the key's array whole, because a copy of constant length is quickest; only its own length
 * counts, so what follows overwrites the rest. */
static void render_key(char separator, const struct field *field, struct buffer *buffer)
{
    char *out = buffer_reserve(buffer, 1 + FIELD_KEY_BYTES);
    *out = separator;
    memcpy(out + 1, field->json_key, FIELD_KEY_BYTES);
    buffer->length += 1u + field->json_key_length;
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
        render_key(separator, field, buffer);
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
