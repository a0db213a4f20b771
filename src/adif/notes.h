/* Values in an ADIF record for which a QSO has no field. The values are in the first lines of the
 * QSO's notes: "Name: ", "QTH: " and, if the mode is DIGITAL, "Mode: ", in this order. */
#ifndef QSOSYNC_ADIF_NOTES_H
#define QSOSYNC_ADIF_NOTES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"

enum notes_part { NOTES_NAME, NOTES_QTH, NOTES_MODE, NOTES_BODY, NOTES_PART_COUNT };

/* The parts of notes; no text: the part is missing. */
struct notes {
    struct text parts[NOTES_PART_COUNT];
};

/* Splits notes into parts, which are views into the text. Without with_mode, a "Mode: " line
 * belongs to the body. */
struct notes notes_split(struct text text, bool with_mode);

/* Returns whether the QSO is digital, so that its notes can contain a "Mode: " line. */
bool notes_may_name_mode(const struct qso *qso);

/* Splits a QSO's notes into parts. */
struct notes notes_of_qso(const struct qso *qso);

/* Joins the parts of notes, in the arena. Returns no text if all parts are missing. Joining the
 * parts from notes_split restores the original text. */
struct text notes_join(const struct notes *notes, struct arena *arena);

#endif
