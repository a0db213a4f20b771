/* Checks the values of a QSO from a file that the service does not trust. */
#ifndef QSOSYNC_RECOVERY_SOUND_H
#define QSOSYNC_RECOVERY_SOUND_H

#include <stdbool.h>

#include "qso/qso.h"

/* Returns whether the service could have written the QSO: each text is UTF-8 without NUL, each UUID
 * has the right length, and each time can be formatted. The schema's CHECK constraints cover
 * numbers, choices and lengths. */
bool sound_is_qso(const struct qso *qso);

#endif
