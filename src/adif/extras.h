/* Our extra fields APP_QSOSYNC_…, which contain the values that standard fields cannot hold
 * exactly. */
#ifndef QSOSYNC_ADIF_EXTRAS_H
#define QSOSYNC_ADIF_EXTRAS_H

#include "adif/rows.h"

/* Reads one extra field. Returns VALUE_OMITTED if the value is missing or invalid. An invalid value
 * is reported if `tells` is true. */
struct value extras_read_value(struct reading *reading, enum field_index index, bool tells);

/* Replaces the values of the standard fields by the extra values that agree with them, and reads
 * the QSO's clientId or origin. */
void extras_apply(struct reading *reading);

#endif
