/* Programs that keep a lock on a file, as far as /proc shows them to this user. */
#ifndef QSOSYNC_DOCTOR_HOLDERS_H
#define QSOSYNC_DOCTOR_HOLDERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

struct holder {
    pid_t pid;        /* 0: none was seen */
    const char *name; /* what the program calls itself, which proves nothing */
};

/* A process that has some byte from first to last locked now, and still has it a moment later. */
struct holder holders_find(struct arena *arena, const char *path, off_t first, off_t last);

#endif
