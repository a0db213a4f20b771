/* For other files of the store: tombstones, inside an open write transaction. */
#ifndef QSOSYNC_STORE_TOMBSTONES_H
#define QSOSYNC_STORE_TOMBSTONES_H

#include "store/store.h"

/* How long they are kept unless store_set_tombstone_days says otherwise: two years. */
#define TOMBSTONE_DAYS_DEFAULT 730

/* Leaves the tombstone of a QSO that is about to be deleted, and removes some that have been kept
 * long enough. */
enum store_result tombstones_add(struct store *store, int64_t member_id, int64_t stamp_ms,
                                 int64_t id);

/* After a QSO was created: its clientId is in use again. */
enum store_result tombstones_forget(struct store *store, int64_t member_id, const void *client_id);

/* For QSOs of a member that are deleted without tombstones: notes for clients that deletions up to
 * the stamp are not all known, and removes at most `limit` of the member's tombstones, which are
 * useless then. *last is true when none is left. */
enum store_result tombstones_drop(struct store *store, int64_t member_id, int64_t stamp_ms,
                                  int64_t limit, bool *last);

#endif
