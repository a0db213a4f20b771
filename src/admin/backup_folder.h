/* Adds backups to a folder. */
#ifndef QSOSYNC_ADMIN_BACKUP_FOLDER_H
#define QSOSYNC_ADMIN_BACKUP_FOLDER_H

#include <stdint.h>

#include "admin/command.h"

/* Adds a backup to the folder, removes superfluous backups, copies the new backup elsewhere, and
 * records it. If `keep` is positive, all but the newest `keep` backups are superfluous. If `keep`
 * is 0, the backups that thinning by age does not keep are superfluous. If `keep` is -1, no backup
 * is superfluous. */
void backup_folder_add(struct invocation *invocation, const char *folder, int64_t keep);

#endif
