/* One of several clubs on a server. Its name is in the environment (QSOSYNC_INSTANCE), and is part
 * of the names of its folder, units and site. */
#ifndef QSOSYNC_WORKER_INSTANCE_H
#define QSOSYNC_WORKER_INSTANCE_H

#include <stdbool.h>

#include "base/arena.h"

/* Returns the club's name, or NULL if the name is not set or not valid. */
const char *instance_name(void);

/* Returns whether a club can have this name: at most 20 lower-case letters and digits, starting
 * with a letter. */
bool instance_is_name(const char *text);

/* Returns false if QSOSYNC_INSTANCE is set to an invalid name. */
bool instance_is_valid(void);

/* Returns the default path of the logbook of the club in QSOSYNC_INSTANCE. The path is in the
 * arena. Without a club, returns the default path unchanged. */
const char *instance_database(struct arena *arena);

/* Returns the text in which the club's names replace the default names of the systemd units and of
 * the command put-site. The result is in the arena. Without a club, returns the text unchanged. */
const char *instance_adapt(struct arena *arena, const char *text);

#endif
