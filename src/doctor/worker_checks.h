/* Declares the checks for the workers, which check_workers.c runs. */
#ifndef QSOSYNC_DOCTOR_WORKER_CHECKS_H
#define QSOSYNC_DOCTOR_WORKER_CHECKS_H

#include <stdbool.h>

#include "doctor/examination.h"
#include "doctor/workers.h"

#define WORKER_CHECKS_CLUSTER "qsosync-cluster.socket"

/* Checks that the unit serves this logbook. Returns false after a finding. */
bool units_check_logbook(struct examination *seen, const char *name);

/* Checks the settings of the unit; `restarted` is the unit to restart after a correction. Returns
 * false if a value is invalid. */
bool units_check_settings(struct examination *seen, const char *name, const char *restarted);

/* If the logbook is the default, checks that no unit of the workers is masked. Returns false after
 * a finding. */
bool units_check_masks(struct examination *seen);

/* Checks that the units start when the machine boots. */
void units_check_boot(struct examination *seen);

/* Checks that the path of each socket exists and is not too long. Returns false after a finding. */
bool sockets_exist(struct examination *seen);

/* Checks that a process listens on this socket, and that the web server may use the socket. Returns
 * false after a finding. */
bool sockets_check(struct examination *seen, const struct worker_kind *kind, const char *path);

void lock_check(struct examination *seen);
void programs_check(struct examination *seen);
void cluster_check(struct examination *seen);

#endif
