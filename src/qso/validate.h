/* One entry of a batch, a JSON object, becomes a QSO or a rejection (API sections 2 and 7.2). */
#ifndef QSOSYNC_QSO_VALIDATE_H
#define QSOSYNC_QSO_VALIDATE_H

#include "json/read.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* The values of the entry by the field's number; NULL: it is no object. Fills out with its values:
 * trimmed, normalised, with omitted fields (VALUE_OMITTED) distinct from null ones. Read-only
 * fields are VALUE_OMITTED, unknown ones are ignored. Texts live in the arena. Returns NULL, or the
 * first rejection in the order of the field table; a rejection that has no code of its own carries
 * a sentence, which begins with the field's name and lives in the arena. */
const struct rejection *validate_qso(const struct json_value *sent, struct arena *arena,
                                     struct qso *out);

#endif
