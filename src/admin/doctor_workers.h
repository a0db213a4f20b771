/* What the doctor checks about the workers: the user that they run as, the logbook that they serve,
 * their socket, and the lock that they share. */
#ifndef QSOSYNC_ADMIN_DOCTOR_WORKERS_H
#define QSOSYNC_ADMIN_DOCTOR_WORKERS_H

#include "admin/command.h"
#include "admin/findings.h"
#include "admin/workers.h"

struct doctor_user {
    struct worker_user runs_as;
    const char *name;
};

/* The user that the workers of this logbook run as; where none runs, the user that the shipped
 * units name if they are installed; otherwise the owner of the logbook's folder, or where that is
 * root, of the logbook. */
void doctor_find_workers(struct invocation *invocation, const char *folder,
                         struct doctor_user *out);

/* Whether systemd finds a unit of that name: one that the operator has put there, or the package.
 */
bool doctor_workers_has_unit(struct arena *arena, const char *name);

/* The command that runs the doctor on the logbook, as the user that its workers run as. */
const char *doctor_workers_fix_for_logbook(struct invocation *invocation);

/* `expected` is who doctor_find_workers has found. */
void doctor_look_at_workers(struct invocation *invocation, const struct doctor_user *expected,
                            struct findings *findings);

#endif
