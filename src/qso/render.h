/* Writes a QSO as the JSON object that clients read. */
#ifndef QSOSYNC_QSO_RENDER_H
#define QSOSYNC_QSO_RENDER_H

#include "base/buffer.h"
#include "qso/qso.h"

/* Appends an object with all fields except write-only fields. A field without a value is null. The
 * QSO's texts must be well-formed UTF-8. */
void render_qso(const struct qso *qso, struct buffer *buffer);

/* Appends the value of one field; null if the field has no value. */
void render_field(enum field_index field, const struct value *value, struct buffer *buffer);

#endif
