/* What taking back would make of one QSO. For undo.c. */
#ifndef QSOSYNC_STORE_UNDO_PLAN_H
#define QSOSYNC_STORE_UNDO_PLAN_H

#include "store/undo_wish.h"

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
