/* Converts an entry in a batch, a JSON object, into a QSO or a rejection (API sections 2 and
 * 7.2). */
#ifndef QSOSYNC_QSO_ENTRY_H
#define QSOSYNC_QSO_ENTRY_H

#include "base/arena.h"
#include "json/value.h"
#include "qso/qso.h"

/* Fills *out with the values in an entry. `sent` contains the values by field number, or is NULL if
 * the entry is not an object. Values are trimmed and normalised. Omitted fields (VALUE_OMITTED) are
 * distinct from null, and read-only fields count as omitted. Texts are in the arena. Returns NULL,
 * or the first rejection in the order of the field table. The sentence of a rejection without a
 * stable code begins with the field's name, if the rejection is about a field. */
const struct rejection *validate_qso(const struct json_value *sent, struct arena *arena,
                                     struct qso *out);

#endif
