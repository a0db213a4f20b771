/* Restores one member's log from a backup. */
#ifndef QSOSYNC_RECOVERY_RESTORE_MEMBER_H
#define QSOSYNC_RECOVERY_RESTORE_MEMBER_H

#include <stdbool.h>

#include "base/arena.h"
#include "database/result.h"
#include "recovery/restored.h"
#include "store/people/members.h"

/* Restores the member's log from the backup, in many short transactions, while the service
 * continues. The member, all other data and QSOs logged during the restore stay unchanged. If the
 * process is killed or a step fails, the next call continues; *out contains the progress. Returns
 * STORE_NONE if the backup lacks the member. Returns STORE_REFUSED if the backup is from another
 * logbook and takes_other is false. */
enum store_result store_restore_member(struct store *store, const struct member *member,
                                       const char *from, bool takes_other, struct arena *arena,
                                       struct restored_log *out);

#endif
