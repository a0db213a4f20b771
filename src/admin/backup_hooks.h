/* Runs the operator's programs that copy a new backup elsewhere. */
#ifndef QSOSYNC_ADMIN_BACKUP_HOOKS_H
#define QSOSYNC_ADMIN_BACKUP_HOOKS_H

#include "base/arena.h"

/* Runs the programs in /etc/qsosync/backup.d (or the folder in QSOSYNC_BACKUP_HOOKS), sorted by
 * name, with the backup's path as their only argument. A program that runs for longer than an hour
 * is ended. A program's name may contain letters, digits, _ and -, as for run-parts(8). Returns the
 * number of programs that were run. *failure becomes the first failure, such as "10-rsync: exit
 * 12", in the arena, or NULL if all programs succeeded. */
int backup_hooks_run(const char *path, struct arena *arena, const char **failure);

#endif
