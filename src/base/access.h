/* Finds the user who may open a logbook. */
#ifndef QSOSYNC_BASE_ACCESS_H
#define QSOSYNC_BASE_ACCESS_H

#include <stdbool.h>

#include "base/arena.h"

/* Finds the most common mistake, for all commands and the doctor: another user owns the file. This
 * user must be able to read it. With `to_write`, the user must also be able to write it and to
 * create files in its folder; for a missing file, only the folder counts. Returns a sentence that
 * names the owner, and the command to run as that user; `line` is the part after the program. NULL:
 * access is allowed, or opening the file reports another error. Both texts are in the arena. */
const char *access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                                bool to_write, const char **command);

#endif
