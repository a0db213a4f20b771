/* The data that accompanies a member's QSOs: their creators, tombstones and leftovers. */
#ifndef QSOSYNC_STORE_DELETIONS_H
#define QSOSYNC_STORE_DELETIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/position.h"
#include "store/transaction.h"

/* -- Creators of QSOs -------------------------------------------------------------------------- */

/* Reads the callsign of the QSO's creator, in the arena; no text: unknown. */
enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out);

typedef void maker_visitor(void *context, int64_t qso_id, struct text maker);
enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context);

/* -- Deletions --------------------------------------------------------------------------------- */

#define TOMBSTONE_DAYS_DEFAULT 730 /* two years */

/* How long tombstones are kept (default two years). */
void store_set_tombstone_days(struct store *store, int64_t days);

/* Finds the time since when every deletion from the member's log is known, inside a read
 * transaction. Each deletion with a stamp after *since_ms has its tombstone, unless its clientId is
 * used again. */
enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms);

/* Calls visit for at most `limit` deletions after `after`, in their order among the QSOs of the
 * log: position is the stamp of the deletion and the id that the QSO had. client_id is NULL for a
 * QSO without a clientId. */
enum store_result store_list_tombstones(struct store *store, int64_t member_id,
                                        struct position after, int64_t limit,
                                        void (*visit)(void *context, struct position position,
                                                      const unsigned char *client_id),
                                        void *context);

/* -- Leftovers --------------------------------------------------------------------------------- */

/* Reads the leftovers of the member's QSO with this id, in the arena, inside a transaction of
 * either kind; no text: none. */
enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out);

/* Whether any of the member's QSOs has leftovers. */
enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out);

/* The position of the last visit; zeros: none. */
struct leftovers_position {
    int64_t qso_id, edit;
};

/* Calls visit for at most `limit` of the member's leftovers after *position, which moves to the
 * last one. Previous leftovers and those of deleted QSOs are included. *last: no more follow. The
 * text is valid during the call. */
enum store_result store_list_leftovers(
    struct store *store, int64_t member_id, int64_t limit, struct leftovers_position *position,
    void (*visit)(void *context, const struct leftovers_position *position, struct text fields),
    void *context, bool *last);

/* -- For other files of the store and of recovery ---------------------------------------------- */

/* Call this after a QSO was created; no text: stores no creator. */
enum store_result makers_note(struct transaction *transaction, int64_t member_id, int64_t qso_id,
                              struct text maker);

/* Leaves the tombstone of a QSO that is about to be deleted, and removes some that have been kept
 * long enough. */
enum store_result deletions_add(struct transaction *transaction, int64_t id);

/* Call this after an edit has replaced the QSO's content, which was of previous_edit: stores these
 * leftovers, or without a text keeps the QSO's present ones. */
enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers);

/* After a QSO was deleted that will not come back. */
enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id);

/* Cleans up a log without QSOs. Removes at most `limit` leftovers, and as many creators of QSOs,
 * known records, ids of programs and, if they are useless, tombstones. *last: nothing is left. */
enum store_result deletions_clean_up(struct transaction *transaction, int64_t member_id,
                                     bool with_tombstones, int64_t limit, bool *last);

#endif
