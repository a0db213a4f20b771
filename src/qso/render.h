/* A QSO as the JSON object that clients read (API section 2.1). */
#ifndef QSOSYNC_QSO_RENDER_H
#define QSOSYNC_QSO_RENDER_H

#include "base/buffer.h"
#include "qso/qso.h"

/* Appends the object with every field but the write-only ones; a field without a value is null. The
 * texts of the QSO are well-formed UTF-8. */
void render_qso(const struct qso *qso, struct buffer *buffer);

/* Appends the ISO 8601 text of a time with its quotes, or null for 0. */
void render_time(int64_t ms, struct buffer *buffer);

/* Appends a UUID of 16 bytes with its quotes, or null for NULL. */
void render_uuid(const unsigned char *uuid, struct buffer *buffer);

#endif
