/* Finds the workers and units that serve a logbook, and returns commands that run as the workers'
 * user. */
#ifndef QSOSYNC_DOCTOR_WORKERS_H
#define QSOSYNC_DOCTOR_WORKERS_H

#include <stdbool.h>

#include "doctor/examination.h"
#include "doctor/units.h"

/* A kind of workers: the API's workers, or the page workers. */
struct worker_kind {
    const char *check, *running, *socket, *service, *program, *none;
};

#define WORKER_KINDS 2 /* in the order of enum worker_program */
extern const struct worker_kind worker_kinds[WORKER_KINDS];

/* Returns whether the unit's program uses this logbook. */
bool workers_are_started_for(struct examination *seen, const char *name);

/* Returns the unit of this kind's socket if the unit names a path and the kind's service uses this
 * logbook. Returns NULL otherwise. */
const struct unit *workers_find_socket(struct examination *seen, const struct worker_kind *kind);

/* Returns whether the running worker serves this logbook as the workers' user. */
bool workers_are_ours(struct examination *seen, const struct worker *worker);

/* Returns another logbook that a unit names or, only if `running` is set, that a worker of the same
 * user serves. Returns NULL if no other logbook is found. */
const char *workers_find_other(struct examination *seen, bool running);

/* Returns a command line that runs this qsosync-admin command for the logbook, as the workers'
 * user. */
const char *workers_command(struct examination *seen, const char *command);

#endif
