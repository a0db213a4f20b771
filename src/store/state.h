/* The compact form in which the former content of a QSO is kept. It follows from the field table.
 */
#ifndef QSOSYNC_STORE_STATE_H
#define QSOSYNC_STORE_STATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

enum state_extent {
    STATE_CHANGE, /* of a QSO that stays: what an update may change of its content */
    STATE_WHOLE,  /* of one that goes: also its clientId, and when it was saved and spotted */
};

/* Puts the compact form of a stored QSO into the buffer, which it empties first. */
void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out);

/* Sets the fields that such a form is about, and leaves all others: those without a value in it
 * become VALUE_NULL. The texts are copied to the arena. False: it is no such form, and some may be
 * set. */
bool state_read(struct text state, struct arena *arena, struct qso *qso);

/* NULL, or the name of a field whose mark another field has, too. */
const char *state_find_equal_marks(void);

#endif
