/* Adds backups to a folder. */
#ifndef QSOSYNC_ADMIN_BACKUP_FOLDER_H
#define QSOSYNC_ADMIN_BACKUP_FOLDER_H

#include <stdint.h>

#include "admin/command.h"

/* Adds a backup to the folder, copies it elsewhere, and records it. Then removes superfluous
 * backups: all but the newest `keep` backups, those that thinning by age does not keep (0), or none
 * (-1). */
void backup_folder_add(struct invocation *invocation, const char *folder, int64_t keep);

#endif
