/* The modes of ADIF beside the voice modes and CW: all of them are DIGITAL to a QSO, whose notes
 * keep the exact name. */
#ifndef QSOSYNC_ADIF_MODES_H
#define QSOSYNC_ADIF_MODES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"

struct mode_name {
    const char *name; /* of a submode, or of a mode */
    const char *mode; /* the mode that it belongs to */
};

/* The mode or submode with this name, in any case; NULL: ADIF has none. */
const struct mode_name *modes_find(struct text name);

/* The values of an ADIF record for which a QSO has no field are kept in the first lines of its
 * notes: "Name: ", "QTH: " and, of a DIGITAL one, "Mode: ", in this order. */

enum notes_part { NOTES_NAME, NOTES_QTH, NOTES_MODE, NOTES_BODY, NOTES_PART_COUNT };

/* No text: the part is not there. */
struct notes {
    struct text parts[NOTES_PART_COUNT];
};

/* Takes notes apart; the parts point into the text. Without with_mode a "Mode: " line belongs to
 * the body. */
struct notes notes_split(struct text text, bool with_mode);

/* Is the QSO one whose notes may have a "Mode: " line: a digital one? */
bool notes_may_name_mode(const struct qso *qso);

/* The notes of a QSO in parts. */
struct notes notes_of_qso(const struct qso *qso);

/* Puts notes together, in the arena; no text if there is no part. What notes_split takes apart
 * becomes the same text again. */
struct text notes_join(const struct notes *notes, struct arena *arena);

#endif
