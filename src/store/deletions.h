/* What stands beside the QSOs of a log: the tombstones that tell clients what was deleted, and
 * since when they are complete; and leftovers, what records of other programs hold and their QSOs
 * do not. */
#ifndef QSOSYNC_STORE_DELETIONS_H
#define QSOSYNC_STORE_DELETIONS_H

#include <stdint.h>

#include "store/transaction.h"

/* The place after a QSO in the order of /logs; all zero: before the first one. */
struct position {
    int64_t synced_at_ms;
    int64_t id;
};

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
enum store_result deletions_add(struct transaction *transaction, int64_t id);

/* After a QSO was created, or came back: its clientId is in use again, or, without one (NULL), its
 * id. */
enum store_result deletions_end(struct transaction *transaction, int64_t member_id, int64_t id,
                                const void *client_id);

/* For QSOs of a member that are deleted without tombstones: notes for clients that deletions up to
 * the stamp are not all known, and removes at most `limit` of the member's tombstones, which are
 * useless then. *last is true when none is left. */
enum store_result deletions_remove_all(struct transaction *transaction, int64_t member_id,
                                       int64_t limit, bool *last);

/* -- Leftovers --------------------------------------------------------------------------------- */

/* What is kept beside the member's QSO with this id, in the arena, inside a transaction of either
 * kind; no text: nothing. */
enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out);

/* Is anything kept beside any of the member's QSOs? */
enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out);

/* The last one that was visited; zeros: none. */
struct leftovers_position {
    int64_t qso_id, edit;
};

/* Calls visit for at most `limit` of all that is kept for the member after *position, which becomes
 * that of the last one, former ones and those of deleted QSOs included. *last: there are no more.
 * The text is valid during the call. */
enum store_result store_list_leftovers(
    struct store *store, int64_t member_id, int64_t limit, struct leftovers_position *position,
    void (*visit)(void *context, const struct leftovers_position *position, struct text fields),
    void *context, bool *last);

/* -- For other files of the store -------------------------------------------------------------- */

/* Call it after an edit has replaced the QSO's content, which was of previous_edit: keeps these
 * leftovers, or without a text those that the QSO had. */
enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers);

/* After a QSO was deleted that will not come back. */
enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id);

/* Removes at most `limit` of a member; *last: none is left. */
enum store_result leftovers_remove_all(struct transaction *transaction, int64_t member_id,
                                       int64_t limit, bool *last);

#endif
