/* The operator's programs that take new backups, to another machine for example. */
#ifndef QSOSYNC_ADMIN_BACKUP_HOOKS_H
#define QSOSYNC_ADMIN_BACKUP_HOOKS_H

#include "base/arena.h"

/* Runs the programs in /etc/qsosync/backup.d (or the folder that QSOSYNC_BACKUP_HOOKS names), in
 * the order of their names, with the path of the backup as their only argument; one that has not
 * ended after an hour is killed. Names as run-parts(8) takes them: letters, digits, _ and -.
 * Returns how many there are. *failure: in the arena, what went wrong with the first one that
 * failed, as "10-rsync: exit 12"; NULL: all of them have done their work. */
int backup_hooks_run(const char *path, struct arena *arena, const char **failure);

#endif
