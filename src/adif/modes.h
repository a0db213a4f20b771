/* Modes of ADIF. Except for the voice modes and CW, all modes are DIGITAL in a QSO, whose notes
 * keep the exact name. */
#ifndef QSOSYNC_ADIF_MODES_H
#define QSOSYNC_ADIF_MODES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct mode_name {
    struct text name; /* name of a submode or a mode */
    struct text mode; /* the mode that it belongs to */
};

/* Finds the mode or submode with this name, in any case. Returns false if ADIF does not have it. */
bool modes_find(struct text name, struct mode_name *out);

/* Finds a digital mode, including names that ADIF does not have. Such a name is not a submode, and
 * is in upper case in the arena. */
bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out);

/* Returns our mode for which other programs use this word, in any case; NULL: none. */
const char *modes_find_other_word(struct text word);

#endif
