/* Examines the state of systemd units, and names the commands that start and restart units. */
#ifndef QSOSYNC_DOCTOR_SYSTEMD_H
#define QSOSYNC_DOCTOR_SYSTEMD_H

#include <stdbool.h>

#include "doctor/examination.h"

/* Runs a shell command whose variable "name" contains the unit's name. Returns whether the command
 * succeeds; false if systemd is not running. */
bool systemd_finds(struct examination *seen, const char *command, const char *name);

/* Returns whether the operator has masked the unit. */
bool systemd_has_masked(struct examination *seen, const char *name);

/* Returns the command that restarts these units. If the service cannot start, the text first names
 * the journal that contains the reason. */
const char *systemd_fix_by_restart(struct examination *seen, const char *service,
                                   const char *names);

/* Returns the command that enables a shipped timer and starts its service, or `otherwise` if the
 * timer does not fit this installation. */
const char *systemd_fix_by_timer(struct examination *seen, const char *name, const char *otherwise);

#endif
