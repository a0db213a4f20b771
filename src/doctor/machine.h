/* Units, processes and files of this machine, as far as this user sees them. */
#ifndef QSOSYNC_DOCTOR_MACHINE_H
#define QSOSYNC_DOCTOR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/folder.h"

/* The doctor of root has the rights of the logbook's owner while it reads what others wrote: the
 * logbook, its backups, answers. For files of root alone it takes them back, until folder_act_as.
 */
struct folder_ids rights_regain(void);

/* A variable in a unit's environment. */
struct variable {
    struct variable *next;  /* an earlier one, which a later one of its name replaces */
    const char *assignment; /* "NAME=value" */
    const char *file;       /* the file that sets it */
};

/* As it is written here: systemd may not run (systemd.unit(5)). */
struct unit {
    const char *path; /* path of its file; NULL: no such unit */
    const char *user;
    const char *port; /* ListenStream */
    struct variable *variables;
};

/* Reads the unit with its drop-ins, all of it into the arena. */
const struct unit *units_read(struct arena *arena, const char *name);

/* The last variable that begins with "NAME=", which counts, and its value. NULL: not set. */
const struct variable *units_find(const struct unit *unit, const char *name);
const char *units_value(const struct unit *unit, const char *name);

/* Whether the unit is there and gives its program this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* path of its program; NULL: this user may see only its name and user */
    bool is_old;      /* the file there is another one by now */
    uid_t user;
    const char *logbook; /* QSOSYNC_DB of its environment; NULL: not set, or not shown to us */
};

/* All of them; NULL: none runs. A worker is known by its program's file, or if this user may not
 * see that, by its name alone, which a process gives itself. */
struct worker *processes_find_workers(struct arena *arena);

/* The name that a process gives itself, which proves nothing; NULL: no such process. */
const char *processes_name(struct arena *arena, pid_t process);

/* Whether a process of this machine gives itself a name that begins so. */
bool processes_run(struct arena *arena, const char *name);

/* Whether anything listens on this TCP port. */
bool processes_is_port_open(struct arena *arena, unsigned port);

/* The first 64 kB of the file, NUL-terminated, and their length unless `length` is NULL. NULL: it
 * cannot be read or is not a regular file. Never waits for a file; follows links. */
char *files_read(struct arena *arena, const char *path, size_t *length);

#endif
