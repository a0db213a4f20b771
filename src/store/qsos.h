/* For other files of the store: QSOs, inside an open write transaction. */
#ifndef QSOSYNC_STORE_QSOS_H
#define QSOSYNC_STORE_QSOS_H

#include "store/store.h"

/* The member's next QSO after `position` in the order of their stamps, if it is older than
 * before_ms: *position becomes its own, *confirmed_by its partner's id or 0. STORE_NONE: no more.
 */
enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by);

/* Deletes a QSO with its spot, without a tombstone, and ends its confirmation by `confirmed_by` (0:
 * none). */
enum store_result qsos_delete(struct store *store, int64_t stamp_ms, int64_t id,
                              int64_t confirmed_by);

/* Notes that the member's log has changed, by which clients and caches know it; once in a
 * transaction is enough, and done only once. Not to be called inside an entry's savepoint, which
 * may be rolled back. */
enum store_result qsos_revise_log(struct store *store, int64_t member_id, int64_t stamp_ms);

#endif
