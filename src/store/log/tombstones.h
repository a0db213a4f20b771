/* Stores tombstones, which inform clients about deleted QSOs in a log. A tombstone is removed when
 * its clientId is used again, because the client then receives the QSO itself, or when the
 * tombstone is old enough. */
#ifndef QSOSYNC_STORE_TOMBSTONES_H
#define QSOSYNC_STORE_TOMBSTONES_H

#include <stdint.h>

#include "qso/qso.h"
#include "store/position.h"
#include "store/transaction.h"

#define TOMBSTONE_DAYS_DEFAULT 730 /* two years */

/* Sets the number of days for which tombstones are kept. */
void store_set_tombstone_days(struct store *store, int64_t days);

/* Finds the time from which every deletion in the member's log is known, inside a read transaction.
 * Each deletion with a stamp after *since_ms still has its tombstone, unless its clientId is used
 * again. */
enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms);

/* Calls visit for at most `limit` deletions after `after`, inside a read transaction. Deletions
 * have positions among the QSOs in the log: the stamp of the deletion and the id of the QSO.
 * client_id is valid during the call to visit, and is NULL for a QSO without a clientId. */
enum store_result store_list_tombstones(struct store *store, int64_t member_id,
                                        struct position after, int64_t limit,
                                        void (*visit)(void *context, struct position position,
                                                      const unsigned char *client_id),
                                        void *context);

/* Writes the tombstone of a QSO that is about to be deleted, and removes a few old tombstones. */
enum store_result tombstones_add(struct transaction *transaction, int64_t id);

/* Removes the tombstone of a QSO that was created or restored, because the QSO's clientId is in use
 * again. A QSO without a clientId is found by its id. */
enum store_result tombstones_remove(struct transaction *transaction, int64_t member_id,
                                    const struct qso *qso);

#endif
