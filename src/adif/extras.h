/* Our extra fields APP_QSOSYNC_…, which contain the values that standard fields cannot represent
 * exactly. */
#ifndef QSOSYNC_ADIF_EXTRAS_H
#define QSOSYNC_ADIF_EXTRAS_H

#include "adif/rows.h"

/* Reads one extra field. The result is VALUE_NULL if the field is empty. The result is
 * VALUE_OMITTED if the field is missing, read-only or write-only, or if its value is invalid. If
 * `reports` is true, an invalid value is reported. */
struct value extras_read_value(struct reading *reading, enum field_index index, bool reports);

/* Replaces values from standard fields with the values from extra fields that agree with the
 * standard fields. Also reads the clientId, or the QSO's id and time of creation. */
void extras_apply(struct reading *reading);

#endif
