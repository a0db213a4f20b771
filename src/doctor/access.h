/* Which user may open a logbook, and how to run a command as that user. The commonest mistake with
 * an installation is a user who may not: all commands and the doctor explain it in the same words.
 */
#ifndef QSOSYNC_DOCTOR_ACCESS_H
#define QSOSYNC_DOCTOR_ACCESS_H

#include <stdbool.h>

#include "base/arena.h"

/* All of it in the arena. */
struct access_refusal {
    const char *refusing; /* the file or folder that this user may not use */
    const char *owner;
    const char *command; /* the command line, run as that user */
};

/* Whether this user may not read a file, or where `to_write` not read and write it and make files
 * beside it (a file that does not exist yet is judged by its folder), because it belongs to
 * somebody else. `line` is the command line behind the program; NULL follows the last word. Other
 * reasons are reported by whoever opens the file. */
bool access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                         bool to_write, struct access_refusal *out);

#endif
