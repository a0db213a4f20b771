/* A slice of taking back, on its way. For undo.c. */
#ifndef QSOSYNC_STORE_UNDO_WORK_H
#define QSOSYNC_STORE_UNDO_WORK_H

#include "store/undo_plan.h"

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

/* Does what the plan says, or, in a preview, counts it; leaves the QSO where the database does not
 * take it. */
enum store_result undo_carry_out(struct undo_work *work, struct undo_plan *plan);

#endif
