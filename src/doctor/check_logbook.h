/* The checks of a logbook on this machine. */
#ifndef QSOSYNC_DOCTOR_CHECK_LOGBOOK_H
#define QSOSYNC_DOCTOR_CHECK_LOGBOOK_H

#include "doctor/doctor.h"
#include "doctor/findings.h"

/* The logbook and the files beside it, its folder, disk and file system, its content and its
 * backups, the workers and their socket. Changes nothing. doctor->store is open afterwards, if
 * the logbook can be read. */
void check_logbook(struct doctor *doctor, struct findings *findings);

/* Those of them that a worker can run inside its sandbox, on the logbook that it has open: disk,
 * file system, content, backups. doctor->is_worker is set. A large logbook is not examined whole,
 * so that this takes no longer than a request may. */
void check_logbook_of_worker(struct doctor *doctor, struct findings *findings);

#endif
