/* A QSO as the JSON object that clients read (API section 2.1). */
#ifndef QSOSYNC_QSO_RENDER_H
#define QSOSYNC_QSO_RENDER_H

#include "base/buffer.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* Appends the object with every field but the write-only ones; a field without a value is null. The
 * texts of the QSO are well-formed UTF-8. */
void render_qso(const struct qso *qso, struct buffer *buffer);

/* Appends the value of one field, or null. */
void render_field(enum field_index field, const struct value *value, struct buffer *buffer);

/* What of a QSO is its owner's: the fields that are sent and stored. */

/* Whether the field is part of it: not what the service sets itself. */
static inline bool content_has(const struct field *field)
{
    return field->column && !(field->flags & FIELD_READ_ONLY);
}

/* Whether a field of the content is the same once both are stored, if an absent boolean is
 * false. */
bool content_has_equal(const struct field *field, const struct value *one,
                       const struct value *other);

/* Whether the whole content is. */
bool content_is_equal(const struct qso *one, const struct qso *other);

#endif
