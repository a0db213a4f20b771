/* The field table as JSON Schema 2020-12, for the API description (OpenAPI 3.1). */
#ifndef QSOSYNC_QSO_SCHEMA_H
#define QSOSYNC_QSO_SCHEMA_H

#include "base/buffer.h"

/* Appends the members of a schemas object: QsoEntry (what clients send: one variant a band) and Qso
 * (what they read). No comma before or behind. */
void schema_append_qso_schemas(struct buffer *out);

/* Appends the name of every code that a batch result may carry, as members of a JSON array. */
void schema_append_rejection_codes(struct buffer *out);

#endif
