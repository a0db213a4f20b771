/* The workers that run on this machine, as far as /proc shows them to this user. */
#ifndef QSOSYNC_DOCTOR_WORKERS_H
#define QSOSYNC_DOCTOR_WORKERS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"

#define WORKER_GROUPS_MAX 32

/* The user that a process runs as. */
struct worker_user {
    uid_t user;
    gid_t groups[WORKER_GROUPS_MAX];
    int group_count;
};

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* of its program; NULL: is_closed */
    bool is_old;      /* the file there is another one by now */
    bool is_closed;   /* this user may see no more than its name and user */
    struct worker_user runs_as;
    const char *logbook; /* QSOSYNC_DB of its environment; NULL: not set, or not shown to us */
};

/* All of them, in the arena; NULL: none runs. A worker is known by its program's file. Where
 * is_closed is set it is known by its name alone, which a process gives itself. */
struct worker *workers_find(struct arena *arena);

/* A user of the password database with all groups; false: there is none of that name. */
bool workers_look_up_user(const char *name, struct worker_user *out);

/* Whether that user may do what the bits say: R_OK, W_OK and X_OK (search) of unistd.h, together.
 */
bool workers_may(const struct worker_user *user, const struct stat *file, mode_t bits);

/* The user's name, or the number where there is none. */
const char *workers_user_name(struct arena *arena, uid_t user);

#endif
