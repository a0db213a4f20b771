/* Taking back what was written to a log: an act, everything by one writer since a time, or
 * deletions. It is done slice by slice, each a transaction, and is an act that can be taken back
 * itself.
 *
 * A QSO gets the content that it had before the first of these edits, unless somebody else has
 * changed it since: then it is left, and named, and only taken back if the member says so. */
#ifndef QSOSYNC_STORE_UNDO_H
#define QSOSYNC_STORE_UNDO_H

#include "store/credentials.h"
#include "store/undo_wish.h"

/* Begins. With `through` of a preview (0: none) nothing that was written after it is taken back.
 * STORE_NONE: the member has no such act, or it is too old. */
enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_wish *wish, int64_t through,
                                   struct undo_state *out);

/* Counts what the next slice of at most `limit` QSOs would do, and visits what would be left,
 * in a snapshot. STORE_CONFLICT: another logbook was restored meanwhile. */
enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_wish *wish, int64_t limit,
                                     struct undo_state *state, undo_left_visitor *visit,
                                     void *context);

/* The same in earnest, in a transaction of its own; the state is only changed when that is on the
 * disk. */
enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_wish *wish, struct undo_state *state,
                                   undo_left_visitor *visit, void *context);

static inline bool undo_is_done(const struct undo_state *state)
{
    return state->step > 1;
}

#endif
