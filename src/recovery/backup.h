/* Writes and examines a backup: a copy of the logbook in one file. */
#ifndef QSOSYNC_RECOVERY_BACKUP_H
#define QSOSYNC_RECOVERY_BACKUP_H

#include <stdbool.h>

#include "database/result.h"

struct store;

/* Writes a consistent copy of the logbook to a new file while the service continues. Returns
 * STORE_CONFLICT if the file already exists. A failed copy leaves no file. */
enum store_result store_back_up(struct store *store, const char *path);

/* Returns whether a backup has no header, or fewer bytes than its header states. Returns false if
 * the file cannot be read. */
bool backup_is_cut_short(const char *path);

#endif
