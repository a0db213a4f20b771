/* What the doctor looks at on this machine. */
#ifndef QSOSYNC_ADMIN_DOCTOR_LOGBOOK_H
#define QSOSYNC_ADMIN_DOCTOR_LOGBOOK_H

#include "admin/command.h"
#include "admin/findings.h"

/* The logbook and the files beside it, its folder, disk and file system, its content and its
 * backups, the workers and their socket. Changes nothing. invocation->store is open afterwards, if
 * the logbook can be read. */
void doctor_look_at_logbook(struct invocation *invocation, struct findings *findings);

#endif
