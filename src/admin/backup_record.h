/* Records the last backup. */
#ifndef QSOSYNC_ADMIN_BACKUP_RECORD_H
#define QSOSYNC_ADMIN_BACKUP_RECORD_H

#include "admin/command.h"
#include "recovery/backup_note.h"

/* Records the backup with its absolute path, or ends the program if the record cannot be written.
 */
void backup_record(struct invocation *invocation, struct backup_note *made);

#endif
