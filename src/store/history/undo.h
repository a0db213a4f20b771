/* Undoes an act, everything by one writer since a time, or deletions. It works in slices, each a
 * transaction, and is an act that can itself be undone. A QSO gets the content from before the
 * first of these edits, unless somebody else has changed it since. Such a QSO is skipped and named,
 * and only undone if the member asks for it.
 *
 *     store_undo_begin(store, member_id, &request, through, &state)
 *     while !undo_is_done(&state):
 *         store_undo_preview() or store_undo_slice()
 *
 * The caller owns the request with its lists, and the state; a copy of the state continues the undo
 * in another process. A state changes only with STORE_DONE. QSOs that a visitor receives are valid
 * during its call. */
#ifndef QSOSYNC_STORE_UNDO_H
#define QSOSYNC_STORE_UNDO_H

#include "store/history/acts.h"
#include "store/history/undo_request.h"

#define UNDO_SLICE 200 /* QSOs examined in a transaction */

struct undo_left {
    const struct qso *qso; /* as it is */
    enum undo_reason reason;
    const struct act *by; /* who made the change that it keeps; NULL: unknown */
};
typedef void undo_left_visitor(void *context, const struct undo_left *left);

/* Begins an undo. With `through` of a preview (0: none) nothing that was written after it is
 * undone. STORE_NONE: the member has no such act, or it is too old. */
enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_request *request, int64_t through,
                                   struct undo_state *out);

/* Counts the changes that the next slice of at most `limit` QSOs would make, and visits the QSOs
 * that it would skip, in a snapshot. STORE_CONFLICT: another logbook was restored in the meantime.
 */
enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_request *request, int64_t limit,
                                     struct undo_state *state, undo_left_visitor *visit,
                                     void *context);

/* The same in earnest, in a transaction of its own; the state is only changed when that is on the
 * disk. */
enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_request *request, struct undo_state *state,
                                   undo_left_visitor *visit, void *context);

static inline bool undo_is_done(const struct undo_state *state)
{
    return state->step > 1;
}

#endif
