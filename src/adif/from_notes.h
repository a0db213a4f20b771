/* Converts the mode and the notes of an ADIF record to values of a QSO. They belong together: the
 * exact name of a digital mode is kept in the notes. */
#ifndef QSOSYNC_ADIF_FROM_NOTES_H
#define QSOSYNC_ADIF_FROM_NOTES_H

#include "adif/rows.h"

/* Functions of rows. The mode's row precedes the row of the notes. */
void from_notes_mode(struct reading *reading, const struct row *row);
void from_notes_text(struct reading *reading, const struct row *row);

#endif
