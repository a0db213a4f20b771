/* Walks through the edits to undo, newest act first, in two passes (a preview: in one pass).
 * Created QSOs are removed before deleted QSOs are restored, because both can have the same
 * clientId. undo_plan.c decides about a single QSO. This file counts the QSO, or writes it and
 * stores the replaced content, because an undo is an act like any other. */
#include "store/history/undo.h"

#include "base/clock.h"
#include "base/progress.h"
#include "store/history/acts.h"
#include "store/history/changes.h"
#include "store/history/undo_plan.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "store/log/room.h"
#include "store/log/tombstones.h"
#include "store/operator_log.h"
#include "store/store.h"

enum step { STEP_DELETIONS, STEP_CONTENT, STEP_DONE };

/* The number of rows of a QSO's history that use as much of a slice's budget as a QSO. Nobody else
 * can write during a slice, so a QSO with a long history must not make the slice long. */
#define STEPS_OF_ONE 20

/* The progress of a slice of an undo. */
struct work {
    struct undo_set set;
    struct undo_state state; /* state after this slice */
    const struct identity *member;
    struct transaction *transaction; /* NULL: a preview */
    const struct undo_report *report;
    struct arena arena; /* texts of one QSO */
    int64_t budget;     /* number of QSOs and places that the slice may still examine */
};

/* Begins or resumes the undo's act. If the act was removed because of its age, begins another act.
 */
static enum store_result begin_act(struct work *work)
{
    struct transaction *transaction = work->transaction;
    enum store_result result = STORE_NONE;
    if (transaction->edit.member_id)
        return STORE_DONE;
    if (work->state.number)
        result = edits_resume(transaction, work->member, work->state.number);
    if (result != STORE_NONE)
        return result;
    store_describe_work(transaction, WORK_UNDO, work->set.request->subject);
    transaction->takes_back = work->set.request->act;
    result = edits_begin(transaction, work->member, EDITS_NONE, false);
    work->state.number = transaction->edit.number;
    const struct text note = work->set.request->note;
    return THEN(result, operator_log_note_member(transaction, "undo", work->member->member_id,
                                                 "%.*s, number %lld", (int)note.length, note.bytes,
                                                 (long long)work->state.number));
}

static enum store_result delete_qso(struct work *work, const struct undo_plan *plan)
{
    struct transaction *transaction = work->transaction;
    const int64_t id = plan->present.values[FIELD_ID].integer;
    struct edit_change change = {.qso_id = id,
                                 .previous_edit = plan->edit,
                                 .brings_back = true,
                                 .restored_edit = plan->target,
                                 .previous = &plan->present,
                                 .extent = STATE_WHOLE};
    enum store_result result = edits_note(transaction, &change);
    THEN(result, edits_note_gone(transaction, &plan->present, plan->target));
    THEN(result, tombstones_add(transaction, id));
    THEN(result, qsos_delete(transaction, work->member->member_id, id, plan->confirmed_by));
    THEN(result, qsos_revise_log(transaction, work->member->member_id));
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* Restores a QSO's earlier content. The QSO's spot stays deleted. Returns STORE_REFUSED if the
 * database rejects the content; nothing is then changed. */
static enum store_result put_back(struct work *work, const struct undo_plan *plan)
{
    struct edit_change change = {.qso_id = plan->content.values[FIELD_ID].integer,
                                 .previous_edit = plan->edit,
                                 .brings_back = true,
                                 .restored_edit = plan->target,
                                 .previous = plan->is_there ? &plan->present : NULL,
                                 .extent = STATE_CHANGE};
    enum store_result result = qsos_put_back(work->transaction, work->member, &plan->content,
                                             plan->target, plan->is_there, plan->confirmed_by);
    if (result != STORE_DONE)
        return result;
    result = edits_note(work->transaction, &change);
    if (!plan->is_there)
        THEN(result, edits_note_back(work->transaction, change.qso_id));
    if (!plan->is_there && plan->content.values[FIELD_SPOTTED_AT].state == VALUE_PRESENT)
        THEN(result, store_run(work->transaction->store, STATEMENT_INSERT_ENDED_SPOT,
                               BIND("qso_id", change.qso_id)));
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* Reports and counts a QSO that the undo skips. */
static enum store_result leave(struct work *work, const struct undo_plan *plan)
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
        work->report->visit(work->report->context, &left);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Carries out the plan; in a preview, only counts it. Skips the QSO if the database rejects the
 * content. */
static enum store_result carry_out(struct work *work, struct undo_plan *plan)
{
    bool deletes = plan->action == UNDO_DELETE;
    enum store_result result = STORE_DONE;
    if (work->transaction) {
        result = begin_act(work);
        THEN(result, deletes ? delete_qso(work, plan) : put_back(work, plan));
    }
    if (result == STORE_REFUSED) {
        plan->reason = UNDO_CLIENT_ID_IN_USE;
        return leave(work, plan);
    }
    if (result == STORE_DONE)
        ++*(deletes ? &work->state.deleted : &work->state.restored);
    return result;
}

/* Returns whether the current pass carries out this plan. The first pass only deletes QSOs. Other
 * writers can write between slices, so the second pass plans each QSO again, and reports skipped
 * QSOs. */
static bool is_due(const struct work *work, const struct undo_plan *plan)
{
    return plan->action != UNDO_NOTHING &&
           (!work->transaction || plan->action == UNDO_DELETE || work->state.step == STEP_CONTENT);
}

/* Returns the edit at the current place, as undo_plan_qso expects it. */
static int64_t edit_of(const struct work *work)
{
    const struct undo_request *request = work->set.request;
    if (request->only_count || request->removed)
        return UNDO_ANYWHERE;
    return work->state.place % 2 ? work->state.place / 2 : UNDO_AT_CREATION;
}

static enum store_result look_at(struct work *work, int64_t qso_id)
{
    struct undo_plan plan;
    enum store_result result =
        undo_plan_qso(&work->set, qso_id, edit_of(work), &work->arena, &plan);
    work->state.done++;
    work->budget -= 1 + plan.steps / STEPS_OF_ONE;
    if (result == STORE_DONE && is_due(work, &plan))
        result = plan.action == UNDO_LEAVE ? leave(work, &plan) : carry_out(work, &plan);
    arena_reset(&work->arena);
    return result;
}

static void begin_pass(const struct undo_request *request, struct undo_state *state)
{
    state->place = request->removed ? state->through + 1 : 2 * state->through + 2;
    state->qso_id = 0;
}

static void end_pass(struct work *work)
{
    work->state.step =
        work->transaction && work->state.step == STEP_DELETIONS ? STEP_CONTENT : STEP_DONE;
    begin_pass(work->set.request, &work->state);
}

static enum store_result find_place(struct work *work)
{
    enum store_result result =
        store_find_integer(work->set.store, "place", &work->state.place, STATEMENT_FIND_UNDO_PLACE,
                           BIND_UNDO_SET(&work->set), BIND("place", work->state.place));
    work->state.qso_id = 0;
    work->budget--;
    if (result == STORE_NONE)
        end_pass(work);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Examines the QSOs at the current place, sorted by id, and then moves to the previous place. A
 * place is an edit, or the QSOs that an act created. Deleted QSOs are examined newest first; a
 * restored QSO is then no longer in the list of deleted QSOs. */
static enum store_result look_at_list(struct work *work)
{
    const bool removed = work->set.request->removed;
    const int64_t limit = work->budget < UNDO_SLICE ? work->budget : UNDO_SLICE;
    int64_t ids[UNDO_SLICE], places[UNDO_SLICE];
    int64_t count = 0, seen = 0;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(work->set.store, removed ? STATEMENT_LIST_REMOVED : STATEMENT_LIST_UNDO_PLACE,
                   BIND("member_id", work->set.member_id), BIND("place", work->state.place),
                   BIND("after", work->state.qso_id), BIND("limit", limit));
    for (; database_next(work->set.store->database, list, &result); count++) {
        ids[count] = database_read_integer(list, "qso_id");
        places[count] = database_read_integer(list, "place");
    }
    for (; seen < count && result == STORE_DONE && work->budget > 0; seen++) {
        result = look_at(work, ids[seen]);
        work->state.place = places[seen];
        work->state.qso_id = ids[seen];
    }
    if (result != STORE_DONE || seen < count || count == limit)
        return result;
    if (!removed)
        return find_place(work);
    end_pass(work);
    return STORE_DONE;
}

static enum store_result look_at_chosen(struct work *work)
{
    const struct undo_request *request = work->set.request;
    enum store_result result = STORE_DONE;
    int64_t *next = &work->state.qso_id; /* position in the list */
    while (work->budget > 0 && *next < (int64_t)request->only_count && result == STORE_DONE)
        result = look_at(work, request->only[(*next)++]);
    if (*next == (int64_t)request->only_count)
        end_pass(work);
    return result;
}

static enum store_result read_epoch(struct store *store, int64_t *log_epoch)
{
    return store_find_integer(store, "log_epoch", log_epoch, STATEMENT_READ_LOGBOOK);
}

static void prepare(struct undo_set *set, struct store *store, int64_t member_id,
                    const struct undo_request *request, const struct undo_state *state)
{
    *set = (struct undo_set){
        .store = store, .member_id = member_id, .request = request, .state = state};
    buffer_append_string(&set->writers, "[");
    for (size_t i = 0; i < request->writer_count; i++)
        buffer_print(&set->writers, "%s[%d,%lld]", i > 0 ? "," : "", (int)request->writers[i].kind,
                     (long long)request->writers[i].number);
    buffer_append_string(&set->writers, "]");
}

static enum store_result begin(struct undo_set *set, int64_t through, struct undo_state *state)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(undo_state, total, "total"), COLUMN(undo_state, oldest, "oldest"));
    struct store *store = set->store;
    const struct undo_request *request = set->request;
    enum store_result result =
        store_find_integer(store, "last_edit", &state->through, STATEMENT_FIND_LAST_EDIT,
                           BIND("member_id", set->member_id));
    if (through && through < state->through)
        state->through = through;
    begin_pass(request, state);
    THEN(result, read_epoch(store, &state->log_epoch));
    if (request->removed)
        return THEN(result, store_count_deleted(store, set->member_id, &state->total));
    THEN(result,
         store_find(store, columns, NULL, state, STATEMENT_COUNT_UNDO_ACTS, BIND_UNDO_SET(set)));
    state->total *= 2; /* the undo takes two passes */
    return result == STORE_DONE && request->act && !state->oldest ? STORE_NONE : result;
}

enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_request *request, int64_t through,
                                   struct undo_state *out)
{
    struct undo_set set;
    int64_t now_ms = clock_wall_ms();
    *out = (struct undo_state){0};
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    progress_begin("undoing");
    prepare(&set, store, member_id, request, out);
    result = begin(&set, through, out);
    buffer_free(&set.writers);
    store_end_read(store);
    return result;
}

static enum store_result run(struct work *work, struct store *store, const struct identity *member,
                             const struct undo_request *request, const struct undo_state *state)
{
    int64_t log_epoch;
    enum store_result result = read_epoch(store, &log_epoch);
    if (result == STORE_DONE && log_epoch != state->log_epoch)
        result = STORE_CONFLICT;
    work->state = *state;
    work->member = member;
    prepare(&work->set, store, member->member_id, request, &work->state);
    while (result == STORE_DONE && work->budget > 0 && !undo_is_done(&work->state))
        result = request->only_count ? look_at_chosen(work) : look_at_list(work);
    arena_free(&work->arena);
    buffer_free(&work->set.writers);
    return result;
}

static void keep(const struct work *work, struct undo_state *state)
{
    *state = work->state;
    progress_step(state->done < state->total ? state->done : state->total, state->total);
}

enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_request *request, int64_t limit,
                                     struct undo_state *state, const struct undo_report *report)
{
    struct work work = {.report = report, .budget = limit};
    int64_t now_ms = clock_wall_ms();
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = run(&work, store, member, request, state);
    store_end_read(store);
    if (result == STORE_DONE)
        keep(&work, state);
    return result;
}

enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_request *request, struct undo_state *state,
                                   const struct undo_report *report)
{
    struct transaction transaction;
    struct work work = {.transaction = &transaction, .report = report, .budget = UNDO_SLICE};
    enum store_result result = store_begin_write(store, &transaction);
    /* Only the first slice trims the history, because the undo itself may exceed the limit. */
    if (!state->number)
        THEN(result, room_trim(&transaction, member->member_id));
    THEN(result, run(&work, store, member, request, state));
    if (result == STORE_DONE && !transaction.edit.member_id)
        store_rollback(&transaction);
    else
        result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        keep(&work, state);
    return result;
}
