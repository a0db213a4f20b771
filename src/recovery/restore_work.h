/* Defines the state that the files share while they restore one member's log. */
#ifndef QSOSYNC_RECOVERY_RESTORE_WORK_H
#define QSOSYNC_RECOVERY_RESTORE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "recovery/candidate.h"
#include "recovery/restored.h"
#include "store/log/edits.h"
#include "store/log/qsos.h"
#include "store/people/members.h"
#include "store/transaction.h"

#define RESTORE_SLICE 500 /* number of QSOs in a transaction, during which other writers wait */

struct work {
    struct store *store; /* the open logbook */
    struct candidate prepared;
    struct store *candidate; /* the private copy of the backup */
    const struct member *member;
    struct member in_backup; /* the member as stored in the backup */
    struct identity identity;
    struct arena *arena;
    struct arena slice;      /* memory for one slice of the log */
    int64_t last_id;         /* id of the logbook's last QSO before the restore began */
    struct buffer to_delete; /* ids of QSOs that the backup lacks */
    /* fields of the current slice: */
    bool writes;
    struct transaction transaction; /* open transaction of the slice */
    int64_t count;
    struct position last;
    struct restored_log tally;
    enum store_result result;
};

/* Stores in *found whether the store contains this member, who is recognised by the id and the time
 * when the member was added. */
enum store_result restore_work_find_member(struct store *store, const struct member *member,
                                           bool *found);

/* Begins a write transaction for the member. If the member was deleted meanwhile, writes a line to
 * the system log and returns STORE_BROKEN. */
enum store_result restore_work_begin_slice(struct work *work);

/* Restores the QSOs from the backup, slice by slice, and adds to the counts in *out. */
enum store_result restore_qsos(struct work *work, struct restored_log *out);

/* Deletes the QSOs that the backup lacks, except QSOs logged since the restore began. Adds to the
 * count of deleted QSOs in *out. */
enum store_result restore_deletions(struct work *work, struct restored_log *out);

#endif
