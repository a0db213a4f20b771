/* Taking back what was written to a log: an act, everything by one writer since a time, or
 * deletions. It is done slice by slice, each a transaction, and is an act that can be taken back
 * itself. A QSO gets the content that it had before the first of these edits, unless somebody else
 * has changed it since: then it is left, and named, and only taken back if the member says so. */
#ifndef QSOSYNC_STORE_UNDO_H
#define QSOSYNC_STORE_UNDO_H

#include "store/credentials.h"
#include "store/history.h"

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

/* -- Between undo.c and undo_plan.c: what taking back would make of one QSO -------------------- */

/* What is taken back, with what was looked up for it. */
struct undo_set {
    struct store *store;
    int64_t member_id;
    const struct undo_wish *wish;
    const struct undo_state *state;
    struct act act; /* the one that was looked up last; number 0: none */
    bool act_is_in;
};

enum undo_deed { UNDO_NOTHING, UNDO_CHANGE, UNDO_DELETE, UNDO_REVIVE, UNDO_LEAVE };

struct undo_plan {
    enum undo_deed deed;
    enum undo_reason reason; /* of leaving it */
    int64_t found_at;        /* of one that is gone: by which edit */
    int64_t steps;           /* rows that were read for it */
    int64_t blocked_by;      /* somebody else's later edit; 0: none */
    int64_t edit;            /* that it has now */
    int64_t confirmed_by;
    bool is_there;
    struct qso present; /* if it is there */
    int64_t target;     /* whose content it gets */
    struct qso content;
};

/* Whether the act is among what is taken back. */
static inline bool undo_set_has_act(const struct undo_set *set, const struct act *act)
{
    const struct undo_wish *wish = set->wish;
    if (act->is_too_old || act->number > set->state->through || act->number == set->state->number)
        return false;
    if (wish->act)
        return act->number == wish->act;
    for (size_t i = 0; i < wish->writer_count; i++)
        if (act->writer.kind == wish->writers[i].kind &&
            act->writer.number == wish->writers[i].number)
            return act->ended_ms >= wish->since_ms;
    return false;
}

/* Where a QSO was met that may have been touched several times: it is planned once, at the latest
 * edit on it that is to be taken back. */
#define UNDO_AT_CREATION 0 /* among those that an act created */
#define UNDO_ANYWHERE INT64_MIN

/* Only reads; texts are in the arena. `at` is an edit, or one of these two: nothing is planned at
 * another than the QSO's, and little is read. */
enum store_result undo_plan_qso(struct undo_set *set, int64_t qso_id, int64_t at,
                                struct arena *arena, struct undo_plan *out);

/* A slice of taking back, on its way. For undo.c. */

struct undo_work {
    struct undo_set set;
    struct undo_state state; /* as it will be */
    const struct identity *member;
    struct transaction *transaction; /* NULL: a preview */
    undo_left_visitor *visit;
    void *context;
    struct arena arena; /* of one QSO */
    int64_t budget;     /* QSOs and acts that may still be looked at */
    int64_t ids[UNDO_SLICE];
    size_t count;
};

/* Names a QSO that is left, and counts it. */
enum store_result undo_leave(struct undo_work *work, const struct undo_plan *plan);

/* Does what the plan says, or, in a preview, counts it; leaves the QSO if the database does not
 * take it. */
enum store_result undo_carry_out(struct undo_work *work, struct undo_plan *plan);

#endif
