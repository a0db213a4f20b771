/* Replaces the logbook with a backup. */
#ifndef QSOSYNC_RECOVERY_RESTORE_H
#define QSOSYNC_RECOVERY_RESTORE_H

#include <stdbool.h>

#include "base/arena.h"
#include "database/result.h"
#include "recovery/restored.h"

/* Replaces the logbook with a backup, whether or not the service is running. Restores everything
 * or, after any failure, nothing. The backup is checked first. Revoked keys stay revoked, deleted
 * members stay deleted, ids are not reused, and stamps keep rising. The log epoch changes, so that
 * clients notice the restore. Returns STORE_REFUSED if the backup is from another logbook, the
 * current logbook has members, and takes_other is false. *out describes both logbooks. */
enum store_result store_restore(const char *path, const char *from, bool takes_other,
                                struct arena *arena, struct restored *out);

#endif
