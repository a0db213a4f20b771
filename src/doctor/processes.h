/* Finds processes on this machine, as far as this user can see them. */
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
    /* path of the worker's program; NULL: only the worker's name and user are visible */
    const char *path;
    bool is_old; /* whether the program's file at this path was replaced or deleted */
    uid_t user;
    /* QSOSYNC_DB in the worker's environment; NULL: not set, or not visible to this user */
    const char *logbook;
};

/* Returns all running workers that this user can see; NULL: none. A worker is recognised by its
 * program's file. If this user cannot see the file, the worker's name counts, although every
 * process can choose its own name. */
struct worker *processes_find_workers(struct arena *arena);

/* Returns the name of a process, or NULL if the process does not exist. Every process can choose
 * its name, so the name proves nothing. */
const char *processes_name(struct arena *arena, pid_t process);

/* Returns whether a process on this machine has a name that begins with `name`. */
bool processes_run(struct arena *arena, const char *name);

/* Returns whether a process listens on this TCP port. */
bool processes_is_port_open(struct arena *arena, unsigned port);

#endif
