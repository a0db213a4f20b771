/* Turns an entry of a batch, a JSON object, into a QSO or a rejection (API sections 2 and 7.2). */
#ifndef QSOSYNC_QSO_ENTRY_H
#define QSOSYNC_QSO_ENTRY_H

#include "base/arena.h"
#include "json/value.h"
#include "qso/qso.h"

/* values: the entry's values by the field's number; NULL: the entry is not an object. Fills out
 * with its values: trimmed, normalised, with omitted fields (VALUE_OMITTED) distinct from null
 * ones. Read-only fields are VALUE_OMITTED; unknown ones are ignored. Texts are in the arena.
 * Returns NULL, or the first rejection in the order of the field table. A rejection without its own
 * code carries a sentence in the arena that begins with the field's name. */
const struct rejection *validate_qso(const struct json_value *sent, struct arena *arena,
                                     struct qso *out);

#endif
