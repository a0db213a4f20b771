/* Deletions: the tombstones that tell clients what was deleted, and since when they are complete.
 */
#ifndef QSOSYNC_STORE_DELETIONS_H
#define QSOSYNC_STORE_DELETIONS_H

#include <stdint.h>

#include "store/position.h"
#include "store/transaction.h"

#define TOMBSTONE_DAYS_DEFAULT 730 /* two years */

/* How long tombstones are kept (default two years). */
void store_set_tombstone_days(struct store *store, int64_t days);

/* Since when every deletion from the member's log is known, inside a read transaction: each one
 * with a stamp after *since_ms has its tombstone, unless its clientId is in use again. */
enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms);

/* Calls visit for at most `limit` deletions after `after`, in the order in which they stand among
 * the QSOs of the log: position is the stamp of the deletion and the id that the QSO had. client_id
 * is NULL for a QSO that had none. */
enum store_result store_list_tombstones(struct store *store, int64_t member_id,
                                        struct position after, int64_t limit,
                                        void (*visit)(void *context, struct position position,
                                                      const unsigned char *client_id),
                                        void *context);

/* -- For other files of the store -------------------------------------------------------------- */

/* Leaves the tombstone of a QSO that is about to be deleted, and removes some that have been kept
 * long enough. */
enum store_result deletions_add(struct transaction *transaction, int64_t member_id, int64_t id);

/* After a QSO was created, or came back: its clientId is in use again, or, without one (NULL), its
 * id. */
enum store_result deletions_end(struct transaction *transaction, int64_t member_id, int64_t id,
                                const void *client_id);

/* For QSOs of a member that are deleted without tombstones: notes for clients that deletions up to
 * the stamp are not all known, and removes at most `limit` of the member's tombstones, which are
 * useless then. *last is true when none is left. */
enum store_result deletions_remove_all(struct transaction *transaction, int64_t member_id,
                                       int64_t limit, bool *last);

#endif
