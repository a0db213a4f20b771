/* Defines the edits to undo, and the progress of the undo. */
#ifndef QSOSYNC_STORE_UNDO_REQUEST_H
#define QSOSYNC_STORE_UNDO_REQUEST_H

#include "store/history/acts.h"

/* The edits to undo. The caller keeps the lists during the undo. */
struct undo_request {
    int64_t act;  /* number of the act to undo; 0: edits by writers, or deletions, are undone */
    bool removed; /* whether deletions are undone */
    const struct writer *writers;
    size_t writer_count;
    int64_t since_ms;    /* time from which edits by the writers are undone */
    const int64_t *only; /* ids of the only QSOs to consider, in ascending order */
    size_t only_count;   /* 0: all */
    /* ids, in ascending order, of QSOs in which later changes by others are also undone */
    const int64_t *taken;
    size_t taken_count;
    bool takes_all; /* whether later changes by others are also undone in all QSOs */
    /* for the history, the name of the writer whose changes are undone; no text: none */
    struct text subject;
    struct text note; /* description of the request, for the activity log */
};

/* Compares ids for qsort and bsearch, in ascending order. */
static inline int undo_compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* The progress of an undo, which can be stored as text between slices. */
struct undo_state {
    int64_t log_epoch;
    /* last edit that can be undone; later edits count as changes by others, even edits by the
     * same writer */
    int64_t through;
    int64_t oldest; /* first edit that can be undone */
    int64_t number; /* number of the undo's act; 0: the undo has not yet written anything */
    int64_t step;   /* 0: deletions; 1: restoring earlier content; 2: complete */
    /* The place after which the undo continues. 2n + 1 and qso_id: among the QSOs that edit n has
     * written; 2n and qso_id: among the QSOs that act n created. For deleted QSOs: the edit and the
     * QSO's id. For chosen QSOs, qso_id is a position in the list. */
    int64_t place, qso_id;
    int64_t restored, deleted, left;
    int64_t done, total; /* number of steps done so far, and of all steps, for a progress bar */
};

enum undo_reason { UNDO_CHANGED_SINCE, UNDO_CLIENT_ID_IN_USE };

#endif
