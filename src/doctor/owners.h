/* Checks the owners and modes of the logbook's files. */
#ifndef QSOSYNC_DOCTOR_OWNERS_H
#define QSOSYNC_DOCTOR_OWNERS_H

#include <stdbool.h>

#include "doctor/examination.h"

/* Checks the logbook's file and the files next to it. Returns false after a problem. */
bool owners_check(struct examination *seen);

/* Returns a command that makes the workers' user the owner of the files in `give`, and changes the
 * mode of the files in `allow`. A list of paths begins with a space, or is empty. */
const char *owners_fix(struct examination *seen, const char *give, const char *mode,
                       const char *allow);

/* Reports a file that is not a regular file, or that has a hard link. Returns false. */
bool owners_report_strange(struct examination *seen, const char *check, const char *path);

#endif
