/* Runs the operator's programs that copy a new backup elsewhere. */
#ifndef QSOSYNC_ADMIN_BACKUP_HOOKS_H
#define QSOSYNC_ADMIN_BACKUP_HOOKS_H

#include "base/arena.h"

/* Runs the programs in /etc/qsosync/backup.d (or the folder in QSOSYNC_BACKUP_HOOKS), sorted by
 * name, with the backup's path as their only argument. A program that runs longer than an hour is
 * killed. Names are as in run-parts(8): letters, digits, _ and -. Returns the number of programs.
 * *failure is the first failure, in the arena, such as "10-rsync: exit 12"; NULL: all succeeded. */
int backup_hooks_run(const char *path, struct arena *arena, const char **failure);

#endif
