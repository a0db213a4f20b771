/* The checks of the workers: the user that they run as, the logbook that they serve, the age of
 * their program, and the lock that they share. */
#ifndef QSOSYNC_DOCTOR_CHECK_WORKERS_H
#define QSOSYNC_DOCTOR_CHECK_WORKERS_H

#include "doctor/doctor.h"
#include "doctor/findings.h"
#include "doctor/holders.h"
#include "doctor/workers.h"

struct named_user {
    struct worker_user runs_as;
    const char *name;
};

/* The user that the workers of this logbook run as: the one that the unit names which serves it;
 * without such a unit the user of a worker that runs and may use the logbook's folder; otherwise
 * the owner of that folder, or where that is root, of the logbook. */
void check_workers_find_user(struct doctor *doctor, const char *folder, struct named_user *out);

/* The logbook that a worker of this user serves where it is another than `logbook`; NULL: there is
 * none. */
const char *check_workers_find_other(struct arena *arena, const struct named_user *user,
                                     const char *logbook);

/* The command that runs the doctor on the logbook, as the user that its workers run as. */
const char *check_workers_fix_for_logbook(struct doctor *doctor);

/* A process as people read it, and the command that ends it; a worker is restarted. */
const char *check_workers_name_holder(struct arena *arena, const struct holder *holder);
const char *check_workers_fix_by_ending(struct arena *arena, const struct holder *holder);

/* `expected` is who check_workers_find_user has found. */
void check_workers(struct doctor *doctor, const struct named_user *expected,
                   struct findings *findings);

#endif
