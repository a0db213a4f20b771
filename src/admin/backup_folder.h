/* Adds backups to a folder. */
#ifndef QSOSYNC_ADMIN_BACKUP_FOLDER_H
#define QSOSYNC_ADMIN_BACKUP_FOLDER_H

#include <stdint.h>

#include "admin/command.h"

/* Adds a backup to the folder, copies it elsewhere, and records it. Then keeps only the newest
 * `keep` backups. With 0, the backups are thinned by age; with -1, all backups are kept. */
void backup_folder_add(struct invocation *invocation, const char *folder, int64_t keep);

#endif
