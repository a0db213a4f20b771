/* Detects a logbook that belongs to another user, and to which the current user has no access. */
#ifndef QSOSYNC_BASE_ACCESS_H
#define QSOSYNC_BASE_ACCESS_H

#include <stdbool.h>

#include "base/arena.h"

/* Detects the most common mistake, for all commands and the doctor: the logbook belongs to another
 * user, and the current user has no access. Access means reading the file; if `to_write` is set,
 * also writing the file and creating files in its folder. For a missing file, only the folder
 * counts. Returns a sentence that names the owner; *command receives the command to run as the
 * owner, with the arguments in `line`. Returns NULL if access is allowed, or if opening the file
 * reports another error. Both texts are in the arena. */
const char *access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                                bool to_write, const char **command);

#endif
