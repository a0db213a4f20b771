/* What the doctor checks about the workers: the user that they run as, the logbook that they serve,
 * the age of their program, and the lock that they share. */
#ifndef QSOSYNC_ADMIN_DOCTOR_WORKERS_H
#define QSOSYNC_ADMIN_DOCTOR_WORKERS_H

#include "admin/command.h"
#include "admin/findings.h"
#include "admin/holders.h"
#include "admin/workers.h"

struct doctor_user {
    struct worker_user runs_as;
    const char *name;
};

/* The user that the workers of this logbook run as: the one that the unit names which serves it;
 * without such a unit the user of a worker that runs and may use the logbook's folder; otherwise
 * the owner of that folder, or where that is root, of the logbook. */
void doctor_find_workers(struct invocation *invocation, const char *folder,
                         struct doctor_user *out);

/* The logbook that a worker of this user serves where it is another than `logbook`; NULL: there is
 * none. */
const char *doctor_workers_find_other(struct arena *arena, const struct doctor_user *user,
                                      const char *logbook);

/* The command that runs the doctor on the logbook, as the user that its workers run as. */
const char *doctor_workers_fix_for_logbook(struct invocation *invocation);

/* A process as people read it, and the command that ends it; a worker is restarted. */
const char *doctor_workers_name_holder(struct arena *arena, const struct holder *holder);
const char *doctor_workers_fix_by_ending(struct arena *arena, const struct holder *holder);

/* `expected` is who doctor_find_workers has found. */
void doctor_look_at_workers(struct invocation *invocation, const struct doctor_user *expected,
                            struct findings *findings);

#endif
