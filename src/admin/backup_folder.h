/* Adds backups to a folder. */
#ifndef QSOSYNC_ADMIN_BACKUP_FOLDER_H
#define QSOSYNC_ADMIN_BACKUP_FOLDER_H

#include <stdint.h>

#include "admin/command.h"

/* Adds a backup to the folder, copies it elsewhere, and records it. Keeps the newest `keep`
 * backups; 0: thins them by age; -1: keeps all. */
void backup_folder_add(struct invocation *invocation, const char *folder, int64_t keep);

#endif
