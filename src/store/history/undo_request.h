/* The selection to undo, and how far the undo has come. */
#ifndef QSOSYNC_STORE_UNDO_REQUEST_H
#define QSOSYNC_STORE_UNDO_REQUEST_H

#include "store/history/acts.h"

/* The selection to undo. The caller keeps the lists. */
struct undo_request {
    int64_t act;  /* 0: by writers, or removed QSOs */
    bool removed; /* deleted QSOs come back */
    const struct writer *writers;
    size_t writer_count;
    int64_t since_ms;     /* edits of the writers with an earlier stamp stay */
    const int64_t *only;  /* just these QSOs; rising */
    size_t only_count;    /* 0: all */
    const int64_t *taken; /* QSOs whose later changes by others are undone, too */
    size_t taken_count;   /* rising */
    bool takes_all;       /* all of them */
    struct text subject;  /* whose changes are undone, for the history; no text: not given */
    struct text note;     /* the selection in words, for the log of operators' acts */
};

/* The order of the lists, for qsort. */
static inline int undo_compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* How far it has come. A value that can be kept as text between slices. */
struct undo_state {
    int64_t log_epoch;
    int64_t through; /* later edits count as somebody else's, even the member's own */
    int64_t oldest;  /* the first edit that can be undone */
    int64_t number;  /* number of the undo's act; 0: nothing was written yet */
    int64_t step;    /* 0 deletions, 1 earlier content, 2 complete */
    /* Where the undo continues. For each act: after 2n + 1 among the QSOs that edit n touched, or
     * 2n among those that act n created. Deleted QSOs: edit and QSO. Chosen QSOs: a position in the
     * list. */
    int64_t place, qso_id;
    int64_t restored, deleted, left;
    int64_t done, total; /* for a progress bar */
};

enum undo_reason { UNDO_CHANGED_SINCE, UNDO_CLIENT_ID_IN_USE };

#endif
