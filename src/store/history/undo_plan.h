/* Plans the effect of an undo on one QSO, for undo.c. Planning only reads. */
#ifndef QSOSYNC_STORE_UNDO_PLAN_H
#define QSOSYNC_STORE_UNDO_PLAN_H

#include "base/buffer.h"
#include "store/history/undo_request.h"

/* The edits to undo, and values that have been looked up for these edits. */
struct undo_set {
    struct store *store;
    int64_t member_id;
    const struct undo_request *request;
    const struct undo_state *state;
    struct buffer writers; /* the request's writers as JSON: [[kind,number],...] */
    struct undo_act {
        int64_t number, last; /* first and last edit; 0: no act was found */
        int64_t began_ms;
        bool is_in;
    } act; /* the act that was looked up last */
};

/* Binds the conditions that select the acts to undo. */
#define BIND_UNDO_SET(set)                                                                         \
    BIND("member_id", (set)->member_id), BIND("oldest", (set)->state->oldest),                     \
        BIND("through", (set)->state->through), BIND("own", (set)->state->number),                 \
        BIND_OR_NULL("act", (set)->request->act), BIND("since", (set)->request->since_ms),         \
        BIND("writers", ((struct text){(set)->writers.bytes, (set)->writers.length}))

enum undo_action { UNDO_NOTHING, UNDO_CHANGE, UNDO_DELETE, UNDO_REVIVE, UNDO_LEAVE };

struct undo_plan {
    enum undo_action action;
    enum undo_reason reason; /* reason for UNDO_LEAVE */
    int64_t found_at;        /* for a QSO that is not in the log, the edit that removed the QSO */
    int64_t steps;           /* number of rows that were read */
    int64_t blocked_by;      /* later edit that the undo keeps; 0: none */
    int64_t edit;            /* edit that wrote the current content, or deleted the QSO */
    int64_t confirmed_by;
    bool is_there;
    struct qso present; /* present content, if is_there is set */
    int64_t target;     /* edit whose content the QSO will have */
    struct qso content;
};

/* Places other than an edit. If several edits have written a QSO, the QSO is planned only at the
 * latest edit that is undone. */
#define UNDO_AT_CREATION 0      /* the place of the QSOs that an act created */
#define UNDO_ANYWHERE INT64_MIN /* the QSO was chosen, and is planned in any case */

/* Plans the effect on a QSO at the place `at`: an edit, UNDO_AT_CREATION or UNDO_ANYWHERE. Texts
 * are in the arena. If the QSO must be planned at another edit, the action is UNDO_NOTHING. */
enum store_result undo_plan_qso(struct undo_set *set, int64_t qso_id, int64_t at,
                                struct arena *arena, struct undo_plan *out);

#endif
