/* A folder of backups, each with its time in its name: qsosync-2026-11-21T030000Z.db. */
#ifndef QSOSYNC_ADMIN_BACKUP_FOLDER_H
#define QSOSYNC_ADMIN_BACKUP_FOLDER_H

#include "admin/command.h"

/* Adds a backup, which was checked and is on the disk when this returns its path, in the
 * invocation's arena. Otherwise NULL, after a line on standard error, and no file is added. */
const char *backup_folder_add(struct invocation *invocation, const char *folder, int64_t now_ms);

/* Deletes the oldest backups until `keep` are left; other files stay. False after a line on
 * standard error. */
bool backup_folder_thin(struct invocation *invocation, const char *folder, int64_t keep);

#endif
