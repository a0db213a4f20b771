/* Finds modes by their names in ADIF. In a QSO, every mode except CW and the voice modes is
 * DIGITAL, and the QSO's notes keep the exact name. */
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

/* Finds a mode or submode, or else accepts, as a digital mode, a name that ADIF does not define.
 * Such a mode's name is in upper case and in the arena. Returns false if the text cannot be the
 * name of a digital mode. */
bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out);

/* Returns our mode for which other programs use this word, in upper or lower case. Returns NULL if
 * there is no such mode. */
const char *modes_find_other_word(struct text word);

#endif
