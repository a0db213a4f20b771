/* Reports a logbook that cannot be used as it is. */
#ifndef QSOSYNC_DOCTOR_DAMAGE_H
#define QSOSYNC_DOCTOR_DAMAGE_H

#include "doctor/examination.h"

/* Reports damage, described by `what`. The fix is the command that restores the newest backup, if a
 * backup is known. A worker reports the command that runs the doctor instead. */
void damage_report(struct examination *seen, const char *check, const char *what);

/* Reports a failure, described by `what`. The failure is reported as damage only if the store has
 * found damage. */
void damage_report_failure(struct examination *seen, const char *check, const char *what);

#endif
