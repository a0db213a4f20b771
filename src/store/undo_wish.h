/* What is to be taken back, how far that has come, and what is left. */
#ifndef QSOSYNC_STORE_UNDO_WISH_H
#define QSOSYNC_STORE_UNDO_WISH_H

#include "store/acts.h"

#define UNDO_SLICE 200 /* QSOs that are looked at in a transaction */

/* What is to be taken back. The lists stay the caller's. */
struct undo_wish {
    int64_t act;  /* 0: by writers, or removed QSOs */
    bool removed; /* QSOs that are gone come back */
    const struct writer *writers;
    size_t writer_count;
    int64_t since_ms;     /* edits of the writers with an earlier stamp stay */
    const int64_t *only;  /* just these QSOs; rising */
    size_t only_count;    /* 0: all */
    const int64_t *taken; /* of others' later changes, those to these QSOs are taken back, too */
    size_t taken_count;   /* rising */
    bool takes_all;       /* all of them */
    struct text subject;  /* who is taken back, for the history; no text: nobody */
};

/* How far it has come. A value that can be kept as text between slices. */
struct undo_state {
    int64_t log_epoch;
    int64_t through;           /* later edits are somebody else's, whoever made them */
    int64_t oldest;            /* the first edit that may be taken back */
    int64_t number;            /* of the act that takes back; 0: nothing was written yet */
    int64_t step;              /* 0 deletions, 1 what was there before, 2 all is done */
    int64_t act, edit, qso_id; /* where it goes on */
    int64_t restored, deleted, left;
    int64_t done, total; /* for a progress bar */
};

enum undo_reason { UNDO_CHANGED_SINCE, UNDO_CLIENT_ID_IN_USE };
struct undo_left {
    const struct qso *qso; /* as it is */
    enum undo_reason reason;
    const struct act *by; /* whose change it keeps; NULL: not known */
};
typedef void undo_left_visitor(void *context, const struct undo_left *left);

#endif
