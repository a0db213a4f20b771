/* Finds what is wrong with an installation, and the command that mends it.
 *
 * check_*.c are the checks, of the logbook on this machine and of the service at an address;
 * the other files read what they need: units, processes, locks, answers. Nothing is changed, and
 * no key is shown. The command line and the output are left to src/admin/doctor.c. */
#ifndef QSOSYNC_DOCTOR_DOCTOR_H
#define QSOSYNC_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/logbook.h"

/* What all checks of one run are given. */
struct doctor {
    struct arena *arena;     /* of all texts */
    const char *database;    /* the logbook's path, as the operator gave it */
    const char *const *line; /* the command line behind the program; NULL follows the last */
    struct store *store;     /* open to read, where that was possible; otherwise NULL */
    /* A worker asks: `store` is its own logbook, whose files it must neither open nor close beside
     * that (fcntl(2): its process would lose its locks), and it sees no other process. */
    bool is_worker;
    void (*show_progress)(const char *phase, int64_t done, int64_t total);
};

#endif
