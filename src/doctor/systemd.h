/* The state of the units in systemd, where it runs. */
#ifndef QSOSYNC_DOCTOR_SYSTEMD_H
#define QSOSYNC_DOCTOR_SYSTEMD_H

#include <stdbool.h>

#include "doctor/examination.h"

/* Returns whether a shell command succeeds. Its variable "name" contains the unit's name. Returns
 * false if systemd does not run. */
bool systemd_finds(struct examination *seen, const char *command, const char *name);

/* Returns whether the operator has masked the unit. */
bool systemd_has_masked(struct examination *seen, const char *name);

/* Returns the command that restarts these units. If the service cannot start, the text first says
 * where the reason is. */
const char *systemd_fix_by_restart(struct examination *seen, const char *service,
                                   const char *names);

/* Returns the command that enables a shipped timer and starts its service, or `otherwise` if they
 * do not fit this installation. */
const char *systemd_fix_by_timer(struct examination *seen, const char *name, const char *otherwise);

#endif
