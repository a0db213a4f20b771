/* Writes QSOs directly into a buffer, because this work takes most of the time for a page of 500
 * QSOs. The field table contains the names and formats. The store reads only the QSOs that may be
 * shown. */
#include "qso/render.h"

#include "json/append.h"
#include "qso/fields.h"
#include "qso/values.h"

void render_field(enum field_index index, const struct value *value, struct buffer *buffer)
{
    const struct field *field = &fields[index];
    const bool is_quoted =
        field->kind != KIND_INTEGER && field->kind != KIND_REAL && field->kind != KIND_BOOLEAN;
    if (value->state != VALUE_PRESENT) {
        buffer_append(buffer, "null", 4);
    } else if (fields_has_text(field) && field->kind != KIND_UUID) {
        json_append_string(buffer, value->text, value->length);
    } else {
        buffer_append(buffer, "\"", is_quoted);
        values_format(field, value, buffer);
        buffer_append(buffer, "\"", is_quoted);
    }
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
