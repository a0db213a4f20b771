/* Values of an ADIF record without a field in a QSO, in the first lines of its notes: "Name: ",
 * "QTH: " and, if the mode is DIGITAL, "Mode: ", in this order. */
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

/* Splits notes into parts, which point into the text. Without with_mode, a "Mode: " line belongs to
 * the body. */
struct notes notes_split(struct text text, bool with_mode);

/* Returns whether the QSO is digital, so that its notes can have a "Mode: " line. */
bool notes_may_name_mode(const struct qso *qso);

/* Splits the notes of a QSO into parts. */
struct notes notes_of_qso(const struct qso *qso);

/* Joins notes, in the arena; no text if all parts are empty. The parts from notes_split are joined
 * to the original text. */
struct text notes_join(const struct notes *notes, struct arena *arena);

#endif
