/* Writes and reads previous states: the compact format in which the history stores a QSO's content.
 */
#ifndef QSOSYNC_STORE_STATE_H
#define QSOSYNC_STORE_STATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

enum state_extent {
    STATE_CHANGE, /* the content that an update can change */
    /* for a deleted QSO: also its clientId, and the times at which it was saved and spotted */
    STATE_WHOLE,
};

/* Replaces the content of the buffer with a stored QSO in the compact format. */
void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out);

/* Sets the QSO's fields within the extent of the state; a field without a value becomes VALUE_NULL,
 * or false if the field is a boolean. Other fields are unchanged. Copies texts to the arena.
 * Returns false if the state is invalid; some fields can then be set. */
bool state_read(struct text state, struct arena *arena, struct qso *qso);

/* Returns the name of a field that has the same mark as another field, or NULL if all marks differ.
 */
const char *state_find_equal_marks(void);

#endif
