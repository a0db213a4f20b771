/* One of several clubs on a server: its name is in the environment, QSOSYNC_INSTANCE, and in the
 * names of its folder, its units and its site. */
#ifndef QSOSYNC_WORKER_INSTANCE_H
#define QSOSYNC_WORKER_INSTANCE_H

#include <stdbool.h>

#include "base/arena.h"

/* NULL: not set, or not a valid name. */
const char *instance_name(void);

/* Whether a club may have this name: at most 20 small letters and digits, a letter first. */
bool instance_is_name(const char *text);

/* False: QSOSYNC_INSTANCE is set to an invalid name. */
bool instance_is_valid(void);

/* Returns the default path of the logbook, for the club if one is set, in the arena. */
const char *instance_database(struct arena *arena);

/* A text with the names of units and of the command that makes a site replaced by those of the
 * club; the same text without a club. In the arena. */
const char *instance_adapt(struct arena *arena, const char *text);

/* Where the logbook of an installation is. */

/* The default path of the logbook. Installed programs have it from configure. Portable programs,
 * which may be anywhere, look for a folder "qsosync" next to their own folder, then next to the
 * folder above, and so on. The first such folder with the same owner as the program counts; if none
 * exists, the path is invalid. */
const char *logbook_path_default(void);

#endif
