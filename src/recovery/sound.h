/* Checks the values of a QSO from a foreign file. */
#ifndef QSOSYNC_RECOVERY_SOUND_H
#define QSOSYNC_RECOVERY_SOUND_H

#include <stdbool.h>

#include "qso/qso.h"

/* Returns whether the service could have written the QSO: all texts are UTF-8 without NUL, UUIDs
 * have the right length, and times can be formatted. The schema's CHECKs cover numbers, choices and
 * lengths. */
bool sound_is_qso(const struct qso *qso);

#endif
