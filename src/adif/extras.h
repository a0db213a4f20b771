/* Our extra fields APP_QSOSYNC_…, which contain the values that standard fields cannot represent
 * exactly. */
#ifndef QSOSYNC_ADIF_EXTRAS_H
#define QSOSYNC_ADIF_EXTRAS_H

#include "adif/rows.h"

/* Reads one extra field. The result is VALUE_NULL if the field is empty, and VALUE_OMITTED if the
 * field is missing or its value is invalid. If `tells` is true, an invalid value is reported. */
struct value extras_read_value(struct reading *reading, enum field_index index, bool tells);

/* Replaces the standard fields' values with the extra fields' values that agree with them, and
 * reads the QSO's clientId or origin. */
void extras_apply(struct reading *reading);

#endif
