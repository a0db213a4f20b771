/* The field table as JSON Schema 2020-12, for the API description (OpenAPI 3.1). */
#ifndef QSOSYNC_QSO_SCHEMA_H
#define QSOSYNC_QSO_SCHEMA_H

#include "base/buffer.h"

/* Each appends one JSON value: the schema of a QSO as clients send it (with one variant a band), of
 * one as they read it, an example of the latter, and the array of all rejection codes. */
void schema_append_entry(struct buffer *out);
void schema_append_qso(struct buffer *out);
void schema_append_qso_example(struct buffer *out);
void schema_append_rejection_codes(struct buffer *out);

#endif
