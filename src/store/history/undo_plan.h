/* The effect of an undo on one QSO, for undo.c. */
#ifndef QSOSYNC_STORE_UNDO_PLAN_H
#define QSOSYNC_STORE_UNDO_PLAN_H

#include "base/buffer.h"
#include "store/history/undo_request.h"

/* The selection, with the values that were looked up for it. */
struct undo_set {
    struct store *store;
    int64_t member_id;
    const struct undo_request *request;
    const struct undo_state *state;
    struct buffer writers; /* the request's writers: [[kind,number],...] */
    struct undo_act {
        int64_t number, last; /* 0: none was looked up */
        int64_t began_ms;
        bool is_in;
    } act; /* the act that was looked up last */
};

/* The conditions by which acts belong to the selection. */
#define BIND_UNDO_SET(set)                                                                         \
    BIND("member_id", (set)->member_id), BIND("oldest", (set)->state->oldest),                     \
        BIND("through", (set)->state->through), BIND("own", (set)->state->number),                 \
        BIND_OR_NULL("act", (set)->request->act), BIND("since", (set)->request->since_ms),         \
        BIND("writers", ((struct text){(set)->writers.bytes, (set)->writers.length}))

enum undo_action { UNDO_NOTHING, UNDO_CHANGE, UNDO_DELETE, UNDO_REVIVE, UNDO_LEAVE };

struct undo_plan {
    enum undo_action action;
    enum undo_reason reason; /* reason for skipping it */
    int64_t found_at;        /* a deleted QSO: the edit that deleted it */
    int64_t steps;           /* rows that were read for it */
    int64_t blocked_by;      /* somebody else's later edit; 0: none */
    int64_t edit;            /* its present content */
    int64_t confirmed_by;
    bool is_there;
    struct qso present; /* if it is there */
    int64_t target;     /* edit whose content it gets */
    struct qso content;
};

/* Where a QSO was met that several edits may have touched: it is planned once, at its latest edit
 * that is undone. */
#define UNDO_AT_CREATION 0 /* among those that an act created */
#define UNDO_ANYWHERE INT64_MIN

/* Only reads; texts are in the arena. `at` is an edit, or one of these two. If the QSO's plan
 * belongs to another edit, little is read and nothing is planned. */
enum store_result undo_plan_qso(struct undo_set *set, int64_t qso_id, int64_t at,
                                struct arena *arena, struct undo_plan *out);

#endif
