/* The modes of ADIF beside the voice modes and CW: all of them are DIGITAL to a QSO. */
#ifndef QSOSYNC_ADIF_MODES_H
#define QSOSYNC_ADIF_MODES_H

#include "base/text.h"

struct mode_name {
    const char *name; /* of a submode, or of a mode */
    const char *mode; /* the mode that it belongs to */
};

/* The mode or submode with this name, in any case; NULL: ADIF has none. */
const struct mode_name *modes_find(struct text name);

#endif
