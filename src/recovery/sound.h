/* Whether a QSO out of a file from elsewhere is one that the service could have written. */
#ifndef QSOSYNC_RECOVERY_SOUND_H
#define QSOSYNC_RECOVERY_SOUND_H

#include <stdbool.h>

#include "qso/qso.h"

/* The schema's CHECKs hold numbers, choices and lengths; this holds what they cannot: texts are
 * UTF-8 without NUL, UUIDs have their length, times can be written. */
bool sound_is_qso(const struct qso *qso);

#endif
