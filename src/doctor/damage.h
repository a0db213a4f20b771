/* Reports a logbook that cannot be used as it is. */
#ifndef QSOSYNC_DOCTOR_DAMAGE_H
#define QSOSYNC_DOCTOR_DAMAGE_H

#include "doctor/examination.h"

/* Reports damage, described by `what`, with the command that restores the newest backup. */
void damage_report(struct examination *seen, const char *check, const char *what);

/* Reports a failure, described by `what`, as damage if the store has found damage. */
void damage_report_failure(struct examination *seen, const char *check, const char *what);

#endif
