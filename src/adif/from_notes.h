/* Converts the mode and the notes in an ADIF record to a QSO's values. Both are read together,
 * because the exact name of a digital mode is kept in the notes. */
#ifndef QSOSYNC_ADIF_FROM_NOTES_H
#define QSOSYNC_ADIF_FROM_NOTES_H

#include "adif/rows.h"

/* The functions that rows use to read their values. The mode's row precedes the notes' row. */
void from_notes_mode(struct reading *reading, const struct row *row);
void from_notes_text(struct reading *reading, const struct row *row);

#endif
