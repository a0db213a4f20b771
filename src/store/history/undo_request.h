/* The edits to undo, and the progress of the undo. */
#ifndef QSOSYNC_STORE_UNDO_REQUEST_H
#define QSOSYNC_STORE_UNDO_REQUEST_H

#include "store/history/acts.h"

/* The edits to undo. The caller keeps the lists during the undo. */
struct undo_request {
    int64_t act;  /* 0: the edits of writers, or deletions */
    bool removed; /* undoes deletions */
    const struct writer *writers;
    size_t writer_count;
    int64_t since_ms;     /* earlier edits of the writers stay */
    const int64_t *only;  /* only these QSOs, in rising order */
    size_t only_count;    /* 0: all */
    const int64_t *taken; /* QSOs whose later changes by others are also undone, */
    size_t taken_count;   /* in rising order */
    bool takes_all;       /* later changes by others are undone in all QSOs */
    struct text
        subject;      /* the writer whose changes are undone, for the history; no text: not given */
    struct text note; /* the request in words, for the activity log */
};

/* Compares ids for qsort, in the order of the lists. */
static inline int undo_compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* The progress of an undo: a value that can be kept as text between slices. */
struct undo_state {
    int64_t log_epoch;
    int64_t through; /* later edits count as changes by others, even those of the same writer */
    int64_t oldest;  /* the first edit that can be undone */
    int64_t number;  /* number of the undo's act; 0: nothing is written yet */
    int64_t step;    /* 0: deletions, 1: earlier content, 2: complete */
    /* The place at which the undo continues: 2n + 1 for the QSOs that edit n touched, or 2n for the
     * QSOs that act n created, after qso_id. For deleted QSOs, edit and QSO; for chosen QSOs,
     * qso_id is a position in the list. */
    int64_t place, qso_id;
    int64_t restored, deleted, left;
    int64_t done, total; /* for a progress bar */
};

enum undo_reason { UNDO_CHANGED_SINCE, UNDO_CLIENT_ID_IN_USE };

#endif
