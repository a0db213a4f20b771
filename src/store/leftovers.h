/* What records of other programs hold and their QSOs do not: kept beside the QSOs, under the edit
 * that brought it, so that it goes and comes back with the content. */
#ifndef QSOSYNC_STORE_LEFTOVERS_H
#define QSOSYNC_STORE_LEFTOVERS_H

#include "store/transaction.h"

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
