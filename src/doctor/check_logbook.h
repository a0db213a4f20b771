/* All checks of this machine. */
#ifndef QSOSYNC_DOCTOR_CHECK_LOGBOOK_H
#define QSOSYNC_DOCTOR_CHECK_LOGBOOK_H

#include "doctor/doctor.h"
#include "doctor/findings.h"

/* The logbook and the files beside it, its folder, disk and file system, its content and its
 * backups, the workers and their socket. Changes nothing. doctor->store is open afterwards, if
 * the logbook can be read. */
void check_logbook(struct doctor *doctor, struct findings *findings);

#endif
