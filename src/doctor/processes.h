/* The processes of this machine, as this user sees them. */
#ifndef QSOSYNC_DOCTOR_PROCESSES_H
#define QSOSYNC_DOCTOR_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* path of its program; NULL: this user can see only its name and user */
    bool is_old;      /* the file at this path was replaced */
    uid_t user;
    const char
        *logbook; /* QSOSYNC_DB in its environment; NULL: not set, or not visible to this user */
};

/* Returns all running workers; NULL: none. A worker is recognised by its program's file. If this
 * user may not see the file, only its name counts, which every process can choose. */
struct worker *processes_find_workers(struct arena *arena);

/* Returns the process's name; NULL: no such process. Every process can choose its name, so the name
 * proves nothing. */
const char *processes_name(struct arena *arena, pid_t process);

/* Returns whether a process on this machine has a name that begins with `name`. */
bool processes_run(struct arena *arena, const char *name);

/* Returns whether anything listens on this TCP port. */
bool processes_is_port_open(struct arena *arena, unsigned port);

#endif
