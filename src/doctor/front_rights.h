/* Checks the web server's permissions. */
#ifndef QSOSYNC_DOCTOR_FRONT_RIGHTS_H
#define QSOSYNC_DOCTOR_FRONT_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "doctor/examination.h"

/* Returns whether the web server has these permissions (R_OK, W_OK, X_OK) for the path. If not,
 * adds a finding with this check and fix. `what` is the verb for the finding, such as "read".
 * Returns true if the web server's user or the path cannot be examined. */
bool front_rights_check(struct examination *seen, const char *check, const char *fix,
                        const char *what, const char *path, mode_t bits);

/* Checks the files of the pages and of the app, and the folders above these files. Returns false
 * after a finding. */
bool front_rights_check_files(struct examination *seen);

#endif
