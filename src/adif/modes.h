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

/* Finds the mode or submode with this name, in any case; false: ADIF has none. */
bool modes_find(struct text name, struct mode_name *out);

/* The same, but also accepts a name that ADIF does not have if a digital mode may have it. Such a
 * name belongs to no other mode and is in upper case, in the arena. */
bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out);

/* The mode of ours that programs also call so, in any case; NULL: none. */
const char *modes_find_other_word(struct text word);

#endif
