/* Modes in ADIF. Except for the voice modes and CW, every mode is DIGITAL in a QSO, and the QSO's
 * notes keep the exact name. */
#ifndef QSOSYNC_ADIF_MODES_H
#define QSOSYNC_ADIF_MODES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct mode_name {
    struct text name; /* name of the submode or mode */
    struct text mode; /* the mode to which a submode belongs */
};

/* Finds the mode or submode with this name, in upper or lower case. Returns false if ADIF does not
 * define the name. */
bool modes_find(struct text name, struct mode_name *out);

/* Finds a digital mode, including names that ADIF does not define. Such a name is not a submode; it
 * is written in upper case, in the arena. */
bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out);

/* Returns our mode for which other programs use this word, in upper or lower case. Returns NULL if
 * there is no such mode. */
const char *modes_find_other_word(struct text word);

#endif
