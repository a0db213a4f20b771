/* Undoes an act, everything that certain writers have written since a time, or deletions. An undo
 * works in slices. Each slice is a transaction, and the undo is an act that can itself be undone. A
 * QSO gets the content from before the first edit that is undone, unless somebody else has changed
 * the QSO since. Such a QSO is skipped and reported, and undone only at the member's request.
 *
 *     store_undo_begin(store, member_id, &request, through, &state)
 *     while !undo_is_done(&state):
 *         store_undo_preview() or store_undo_slice()
 *
 * The caller owns the request with its lists, and the state. A copy of the state continues the undo
 * in another process. A function changes the state only if it returns STORE_DONE. */
#ifndef QSOSYNC_STORE_UNDO_H
#define QSOSYNC_STORE_UNDO_H

#include "store/history/acts.h"
#include "store/history/undo_request.h"

#define UNDO_SLICE 200 /* maximum number of QSOs that a transaction examines */

/* A QSO that an undo skips. */
struct undo_left {
    /* the QSO's current content, or its earlier content if the QSO is deleted */
    const struct qso *qso;
    enum undo_reason reason;
    const struct act *by; /* act with the later change that prevents the undo; NULL: unknown */
};

/* Receives each QSO that the undo skips. The QSO is valid during the call. */
struct undo_report {
    void (*visit)(void *context, const struct undo_left *left);
    void *context;
};

/* Begins an undo. `through` is the number of the last edit that a preview has seen: later edits are
 * not undone (0: no preview). Returns STORE_NONE if the member has no such act, or if the act is
 * too old. */
enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_request *request, int64_t through,
                                   struct undo_state *out);

/* Counts the changes that the next slice of at most `limit` QSOs would make, and reports the QSOs
 * that the slice would skip. Reads in a snapshot. Returns STORE_CONFLICT if a backup was restored
 * in the meantime. */
enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_request *request, int64_t limit,
                                     struct undo_state *state, const struct undo_report *report);

/* Undoes the next slice of at most UNDO_SLICE QSOs in a separate transaction, and reports the QSOs
 * that the slice skips. The state changes only after the slice is on the disk. Returns
 * STORE_CONFLICT if a backup was restored in the meantime. */
enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_request *request, struct undo_state *state,
                                   const struct undo_report *report);

/* Returns whether nothing is left to undo. */
static inline bool undo_is_done(const struct undo_state *state)
{
    return state->step > 1;
}

#endif
