/* Writes what taking back makes of one QSO, and keeps what it replaces: it is an act like any
 * other. What the QSO becomes was decided in undo_plan.c, and which QSOs are looked at is decided
 * in undo.c. */
#include "store/undo_work.h"

#include "store/deletions.h"
#include "store/qsos.h"
#include "store/store.h"

/* -- Writing ----------------------------------------------------------------------------------- */

/* The act that takes back. One that is not there any more was removed with age. */
static enum store_result begin_act(struct undo_work *work)
{
    struct transaction *transaction = work->transaction;
    enum store_result result = STORE_NONE;
    if (transaction->edit.member_id)
        return STORE_DONE;
    if (work->state.number)
        result = history_resume(transaction, work->member, work->state.number);
    if (result != STORE_NONE)
        return result;
    store_describe_work(transaction, WORK_UNDO, work->set.wish->subject);
    transaction->takes_back = work->set.wish->act;
    result = history_begin_edit(transaction, work->member, HISTORY_NO_EDIT);
    work->state.number = transaction->edit.number;
    return result;
}

static enum store_result delete_qso(struct undo_work *work, const struct undo_plan *plan)
{
    struct transaction *transaction = work->transaction;
    const int64_t id = plan->present.values[FIELD_ID].integer;
    struct history_change change = {.qso_id = id,
                                    .previous_edit = plan->edit,
                                    .brings_back = true,
                                    .restored_edit = plan->target,
                                    .former = &plan->present,
                                    .extent = STATE_WHOLE};
    enum store_result result = history_note(transaction, &change);
    if (result == STORE_DONE)
        result = history_note_gone(transaction, &plan->present, plan->target);
    if (result == STORE_DONE)
        result = deletions_add(transaction, work->member->member_id, id);
    if (result == STORE_DONE)
        result = qsos_delete(transaction, id, plan->confirmed_by);
    if (result == STORE_DONE)
        result = qsos_revise_log(transaction, work->member->member_id);
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* The spot that it had stays gone. */
static enum store_result note_revival(struct undo_work *work, const struct undo_plan *plan)
{
    struct store *store = work->transaction->store;
    const int64_t id = plan->content.values[FIELD_ID].integer;
    enum store_result result = history_note_back(work->transaction, id);
    if (result != STORE_DONE || plan->content.values[FIELD_SPOTTED_AT].presence != VALUE_PRESENT)
        return result;
    struct statement *insert = database_statement(store->database, STATEMENT_INSERT_ENDED_SPOT);
    database_bind_integer(insert, ":qso_id", id);
    return database_run(store->database, insert);
}

/* STORE_REFUSED: the database does not take it; nothing is changed. */
static enum store_result put_back(struct undo_work *work, const struct undo_plan *plan)
{
    struct qso content = plan->content;
    struct history_change change = {.qso_id = content.values[FIELD_ID].integer,
                                    .previous_edit = plan->edit,
                                    .brings_back = true,
                                    .restored_edit = plan->target,
                                    .former = plan->is_there ? &plan->present : NULL,
                                    .extent = STATE_CHANGE};
    enum store_result result = qsos_put_back(work->transaction, work->member, &content,
                                             plan->target, plan->is_there, plan->confirmed_by);
    if (result != STORE_DONE)
        return result;
    result = history_note(work->transaction, &change);
    if (result == STORE_DONE && !plan->is_there)
        result = note_revival(work, plan);
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* -- One QSO ----------------------------------------------------------------------------------- */

enum store_result undo_leave(struct undo_work *work, const struct undo_plan *plan)
{
    struct undo_left left = {plan->is_there ? &plan->present : &plan->content, plan->reason, NULL};
    struct act act;
    enum store_result result = STORE_NONE;
    work->state.left++;
    if (plan->reason == UNDO_CHANGED_SINCE)
        result = store_find_act_of_edit(work->set.store, &work->arena, work->set.member_id,
                                        plan->blocked_by, &act);
    if (result == STORE_DONE)
        left.by = &act;
    if (result == STORE_DONE || result == STORE_NONE)
        work->visit(work->context, &left);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result undo_carry_out(struct undo_work *work, struct undo_plan *plan)
{
    bool deletes = plan->deed == UNDO_DELETE;
    enum store_result result = STORE_DONE;
    if (work->transaction) {
        result = begin_act(work);
        if (result == STORE_DONE)
            result = deletes ? delete_qso(work, plan) : put_back(work, plan);
    }
    if (result == STORE_REFUSED) {
        plan->reason = UNDO_CLIENT_ID_IN_USE;
        return undo_leave(work, plan);
    }
    if (result == STORE_DONE)
        ++*(deletes ? &work->state.deleted : &work->state.restored);
    return result;
}
