/* One of several clubs on a server: its name stands in the environment, QSOSYNC_INSTANCE, and in
 * the names of its folder, its units and its site. */
#ifndef QSOSYNC_WORKER_INSTANCE_H
#define QSOSYNC_WORKER_INSTANCE_H

#include <stdbool.h>

#include "base/arena.h"

/* NULL: none is named, or by what is no name. */
const char *instance_name(void);

/* Whether a club may be called so: by small letters and digits, a letter first, at most 20. */
bool instance_is_name(const char *text);

/* False: QSOSYNC_INSTANCE is set, and is no name. */
bool instance_is_valid(void);

/* Where the logbook is unless somebody says otherwise: by default, or the club's own. In the arena.
 */
const char *instance_database(struct arena *arena);

/* A text in which units and the command that makes a site are those of the club; itself if there
 * is none. In the arena. */
const char *instance_adapt(struct arena *arena, const char *text);

/* Where the logbook of an installation is. */

/* The path of the logbook unless somebody says otherwise. Programs that were installed have it from
 * configure. Portable ones, which may lie anywhere, look for a folder "qsosync" beside the folder
 * that they are in, then beside the one above, and so on: the first that belongs to the same user
 * as the program itself; if there is none, the path is one that leads nowhere. */
const char *logbook_path_default(void);

#endif
