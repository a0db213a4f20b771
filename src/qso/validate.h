/* One entry of a batch, as parsed JSON, becomes a QSO or a rejection (API sections 2 and 7.2). */
#ifndef QSOSYNC_QSO_VALIDATE_H
#define QSOSYNC_QSO_VALIDATE_H

#include "base/arena.h"
#include "qso/rejection.h"
#include "qso/qso.h"

struct json_object;

/* Fills out with the entry's values: trimmed, normalised, omitted ones told from null ones.
 * Read-only fields are VALUE_OMITTED, unknown ones are ignored. Texts live in the arena.
 * Returns NULL, or the first rejection in the order of the field
 * table; a rejection that has no code of its own carries a sentence, which begins with the field's
 * name and lives in the arena. */
const struct rejection *validate_qso(struct json_object *entry, struct arena *arena,
                                     struct qso *out);

#endif
