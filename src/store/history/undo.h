/* Undoes an act, everything that one writer has written since a time, or deletions. An undo works
 * in slices, each a transaction, and is an act that can itself be undone. A QSO gets the content
 * from before the first of these edits, unless somebody else has changed it since. Such a QSO is
 * skipped and reported, and undone only if the member asks for it.
 *
 *     store_undo_begin(store, member_id, &request, through, &state)
 *     while !undo_is_done(&state):
 *         store_undo_preview() or store_undo_slice()
 *
 * The caller owns the request with its lists, and the state. A copy of the state continues the
 * undo in another process. A state changes only with STORE_DONE. */
#ifndef QSOSYNC_STORE_UNDO_H
#define QSOSYNC_STORE_UNDO_H

#include "store/history/acts.h"
#include "store/history/undo_request.h"

#define UNDO_SLICE 200 /* QSOs examined in a transaction */

/* A QSO that an undo skips. */
struct undo_left {
    const struct qso *qso; /* its present content */
    enum undo_reason reason;
    const struct act *by; /* the act whose change stays; NULL: unknown */
};

/* Receives each QSO that the undo skips; valid during the call. */
struct undo_report {
    void (*visit)(void *context, const struct undo_left *left);
    void *context;
};

/* Begins an undo. `through` is that of a preview: later writes are not undone (0: no preview).
 * STORE_NONE: the member has no such act, or it is too old. */
enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_request *request, int64_t through,
                                   struct undo_state *out);

/* Counts the changes that the next slice of at most `limit` QSOs would make, and reports the QSOs
 * that it would skip, in a snapshot. STORE_CONFLICT: a backup was restored in the meantime. */
enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_request *request, int64_t limit,
                                     struct undo_state *state, const struct undo_report *report);

/* Undoes the next slice of at most UNDO_SLICE QSOs, in a transaction of its own, and reports the
 * QSOs that it skips. The state changes only after the slice is on disk. STORE_CONFLICT: a backup
 * was restored in the meantime. */
enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_request *request, struct undo_state *state,
                                   const struct undo_report *report);

/* Returns whether nothing is left to undo. */
static inline bool undo_is_done(const struct undo_state *state)
{
    return state->step > 1;
}

#endif
