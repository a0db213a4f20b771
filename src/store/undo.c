/* Goes through what is to be taken back, newest act first, in two passes: what was created goes
 * before what was deleted comes back, because both may have one clientId. What becomes of a single
 * QSO is decided in undo_plan.c; here it is counted, or written, and what that replaces is kept: it
 * is an act like any other. */
#include "store/history.h"

#include "base/clock.h"
#include "database/copy.h"
#include "store/logbook.h"
#include "store/qsos.h"
#include "store/store.h"

enum step { STEP_DELETIONS, STEP_CONTENT, STEP_DONE };

#define ACTS_AT_ONCE 20

/* Rows of one QSO that are as much work as a QSO: one with a long history must not make a slice, in
 * which nobody else writes, a long one. */
#define STEPS_OF_ONE 20

/* A slice of taking back, on its way. */
struct work {
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

/* -- Writing ----------------------------------------------------------------------------------- */

/* The act that takes back. One that is not there any more was removed with age. */
static enum store_result begin_act(struct work *work)
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

static enum store_result delete_qso(struct work *work, const struct undo_plan *plan)
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
    THEN(result, history_note_gone(transaction, &plan->present, plan->target));
    THEN(result, deletions_add(transaction, id));
    THEN(result, qsos_delete(transaction, id, plan->confirmed_by));
    THEN(result, qsos_revise_log(transaction, work->member->member_id));
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* The spot that it had stays gone. */
static enum store_result note_revival(struct work *work, const struct undo_plan *plan)
{
    const int64_t id = plan->content.values[FIELD_ID].integer;
    enum store_result result = history_note_back(work->transaction, id);
    if (plan->content.values[FIELD_SPOTTED_AT].presence == VALUE_PRESENT)
        THEN(result,
             store_run(work->transaction->store, STATEMENT_INSERT_ENDED_SPOT, BIND("qso_id", id)));
    return result;
}

/* STORE_REFUSED: the database does not take it; nothing is changed. */
static enum store_result put_back(struct work *work, const struct undo_plan *plan)
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

/* Names a QSO that is left, and counts it. */
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
        work->visit(work->context, &left);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Does what the plan says, or, in a preview, counts it; leaves the QSO if the database does not
 * take it. */
static enum store_result carry_out(struct work *work, struct undo_plan *plan)
{
    bool deletes = plan->deed == UNDO_DELETE;
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

/* The first pass only deletes. Others write between slices: what the second one finds decides,
 * whatever it is, so that none is left without being named. */
static bool is_due(const struct work *work, const struct undo_plan *plan)
{
    return plan->deed != UNDO_NOTHING &&
           (!work->transaction || plan->deed == UNDO_DELETE || work->state.step == STEP_CONTENT);
}

static int64_t place_of(const struct work *work)
{
    const struct undo_wish *wish = work->set.wish;
    return wish->only_count || wish->removed ? UNDO_ANYWHERE : work->state.edit;
}

static enum store_result look_at(struct work *work, int64_t qso_id)
{
    struct undo_plan plan;
    enum store_result result =
        undo_plan_qso(&work->set, qso_id, place_of(work), &work->arena, &plan);
    work->state.done++;
    work->budget -= 1 + plan.steps / STEPS_OF_ONE;
    if (result == STORE_DONE && is_due(work, &plan))
        result = plan.deed == UNDO_LEAVE ? leave(work, &plan) : carry_out(work, &plan);
    arena_reset(&work->arena);
    return result;
}

/* -- All of them ------------------------------------------------------------------------------- */

/* *whole: nothing is left of the list. */
static enum store_result look_at_list(struct work *work, struct statement *list, bool *whole)
{
    enum store_result result = STORE_DONE;
    int64_t limit = work->budget < UNDO_SLICE ? work->budget : UNDO_SLICE;
    work->count = 0;
    database_bind_integer(list, ":limit", limit);
    while (database_next(work->set.store->database, list, &result))
        work->ids[work->count++] = database_read_integer(list, "qso_id");
    size_t seen = 0;
    for (; seen < work->count && result == STORE_DONE && work->budget > 0; seen++) {
        result = look_at(work, work->ids[seen]);
        work->state.qso_id = work->ids[seen];
    }
    *whole = seen == work->count && (int64_t)work->count < limit;
    return result;
}

/* Looks for the next act that is taken back. */
struct search {
    const struct undo_set *set;
    struct act found; /* without texts; number 0: none */
    int64_t seen_to;  /* the last one that was looked at; 0: none */
};

static void compare_act(void *context, const struct act *act)
{
    struct search *search = context;
    if (search->found.number)
        return;
    search->seen_to = act->number;
    if (undo_set_has_act(search->set, act))
        search->found = *act;
}

/* From state.act on, downwards. If it was not found yet, state.act says where to go on; 0: there
 * is none. */
static enum store_result find_act(struct work *work, struct act *out)
{
    struct search search = {.set = &work->set};
    const int64_t since_ms = work->set.wish->act ? INT64_MIN : work->set.wish->since_ms;
    enum store_result result =
        store_list_acts(work->set.store, work->set.member_id, work->state.act, since_ms,
                        ACTS_AT_ONCE, compare_act, &search);
    *out = search.found;
    work->budget--;
    work->state.act = search.found.number ? search.found.number
                      : search.seen_to    ? search.seen_to - 1
                                          : 0;
    return result;
}

/* The edits of an act downwards, and at last what it created. */
static enum store_result find_edit_before(struct work *work, const struct act *act, int64_t edit)
{
    enum store_result result = store_find_integer(
        work->set.store, "edit", &work->state.edit, STATEMENT_FIND_EDIT_BEFORE,
        BIND("member_id", work->set.member_id), BIND("first", act->number), BIND("last", edit));
    if (result == STORE_DONE)
        work->state.qso_id =
            work->state.edit == UNDO_AT_CREATION && act->first_created ? act->first_created - 1 : 0;
    return result;
}

static enum store_result look_at_edit(struct work *work, const struct act *act, bool *whole)
{
    bool created = work->state.edit == UNDO_AT_CREATION;
    return look_at_list(
        work,
        store_with(work->set.store, created ? STATEMENT_LIST_CREATED : STATEMENT_LIST_TOUCHED,
                   BIND("member_id", work->set.member_id), BIND("after", work->state.qso_id),
                   created ? BIND("last", act->last_created) : BIND("edit", work->state.edit)),
        whole);
}

/* One list of the act; *ends: nothing is left of it. */
static enum store_result look_at_act(struct work *work, const struct act *act, bool *ends)
{
    bool whole;
    enum store_result result = STORE_DONE;
    *ends = false;
    if (work->state.edit < 0)
        result = find_edit_before(work, act, act->last);
    *ends = work->state.edit == UNDO_AT_CREATION && !act->first_created;
    if (*ends || result != STORE_DONE)
        return result;
    result = look_at_edit(work, act, &whole);
    if (result != STORE_DONE || !whole)
        return result;
    if (work->state.edit == UNDO_AT_CREATION)
        *ends = true;
    else
        result = find_edit_before(work, act, work->state.edit - 1);
    return result;
}

static void begin_pass(struct undo_state *state)
{
    state->act = state->through;
    state->edit = -1;
    state->qso_id = 0;
}

static void end_pass(struct work *work)
{
    work->state.step =
        work->transaction && work->state.step == STEP_DELETIONS ? STEP_CONTENT : STEP_DONE;
    begin_pass(&work->state);
}

static enum store_result look_at_acts(struct work *work)
{
    struct act act;
    bool ends;
    enum store_result result = find_act(work, &act);
    if (result != STORE_DONE)
        return result;
    if (!act.number) {
        if (!work->state.act)
            end_pass(work);
        return STORE_DONE;
    }
    result = look_at_act(work, &act, &ends);
    if (result == STORE_DONE && ends) {
        bool last = work->set.wish->act || act.number <= work->state.oldest;
        work->state.act = act.number - 1;
        work->state.edit = -1;
        if (last)
            end_pass(work);
    }
    return result;
}

/* Newest first; what comes back leaves the list. */
static enum store_result look_at_removed(struct work *work)
{
    struct store *store = work->set.store;
    struct statement *list =
        store_with(store, STATEMENT_LIST_REMOVED, BIND("member_id", work->set.member_id),
                   BIND("edit", work->state.edit < 0 ? work->state.through + 1 : work->state.edit),
                   BIND("before", work->state.qso_id),
                   BIND("limit", work->budget < UNDO_SLICE ? work->budget : UNDO_SLICE));
    int64_t edits[UNDO_SLICE];
    enum store_result result = STORE_DONE;
    work->count = 0;
    while (database_next(store->database, list, &result)) {
        edits[work->count] = database_read_integer(list, "removed_by");
        work->ids[work->count++] = database_read_integer(list, "qso_id");
    }
    for (size_t i = 0; i < work->count && result == STORE_DONE && work->budget > 0; i++) {
        result = look_at(work, work->ids[i]);
        work->state.edit = edits[i];
        work->state.qso_id = work->ids[i];
    }
    if (work->count == 0)
        end_pass(work);
    return result;
}

static enum store_result look_at_chosen(struct work *work)
{
    const struct undo_wish *wish = work->set.wish;
    enum store_result result = STORE_DONE;
    int64_t *next = &work->state.qso_id; /* a place in the list */
    while (work->budget > 0 && *next < (int64_t)wish->only_count && result == STORE_DONE)
        result = look_at(work, wish->only[(*next)++]);
    if (*next == (int64_t)wish->only_count)
        end_pass(work);
    return result;
}

static enum store_result look_around(struct work *work)
{
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && work->budget > 0 && !undo_is_done(&work->state))
        result = work->set.wish->only_count ? look_at_chosen(work)
                 : work->set.wish->removed  ? look_at_removed(work)
                                            : look_at_acts(work);
    return result;
}

/* -- Beginning and slices ---------------------------------------------------------------------- */

struct count {
    const struct undo_set *set;
    struct undo_state *state;
};

static void count_act(void *context, const struct act *act)
{
    struct count *count = context;
    if (!undo_set_has_act(count->set, act))
        return;
    count->state->total += act->states + act->created;
    count->state->oldest = act->number;
}

static enum store_result read_epoch(struct store *store, int64_t *log_epoch)
{
    return store_find_integer(store, "log_epoch", log_epoch, STATEMENT_READ_LOGBOOK);
}

static enum store_result begin(struct store *store, int64_t member_id, const struct undo_wish *wish,
                               int64_t through, struct undo_state *state)
{
    struct undo_set set = {.store = store, .member_id = member_id, .wish = wish, .state = state};
    struct count count = {&set, state};
    enum store_result result =
        store_find_integer(store, "last_edit", &state->through, STATEMENT_FIND_LAST_EDIT,
                           BIND("member_id", member_id));
    if (through && through < state->through)
        state->through = through;
    begin_pass(state);
    THEN(result, read_epoch(store, &state->log_epoch));
    if (result != STORE_DONE || wish->removed)
        return THEN(result, store_find_integer(store, "rows", &state->total, STATEMENT_COUNT_GONE,
                                               BIND("member_id", member_id)));
    result = store_list_acts(store, member_id, wish->act ? wish->act : state->through,
                             wish->act ? INT64_MIN : wish->since_ms, wish->act ? 1 : INT64_MAX,
                             count_act, &count);
    if (result == STORE_DONE && !state->oldest)
        result = wish->act ? STORE_NONE : STORE_DONE;
    state->total *= 2; /* two passes */
    return result;
}

enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_wish *wish, int64_t through,
                                   struct undo_state *out)
{
    int64_t now_ms = clock_wall_ms();
    *out = (struct undo_state){0};
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    progress_begin("taking back");
    result = begin(store, member_id, wish, through, out);
    store_end_read(store);
    return result;
}

static void prepare(struct work *work, struct store *store, const struct identity *member,
                    const struct undo_wish *wish, const struct undo_state *state)
{
    work->state = *state;
    work->member = member;
    work->set = (struct undo_set){
        .store = store, .member_id = member->member_id, .wish = wish, .state = &work->state};
}

static enum store_result run(struct work *work)
{
    int64_t log_epoch;
    enum store_result result = read_epoch(work->set.store, &log_epoch);
    if (result == STORE_DONE && log_epoch != work->state.log_epoch)
        result = STORE_CONFLICT;
    THEN(result, look_around(work));
    arena_free(&work->arena);
    return result;
}

static void keep(const struct work *work, struct undo_state *state)
{
    *state = work->state;
    progress_step(state->done < state->total ? state->done : state->total, state->total);
}

enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_wish *wish, int64_t limit,
                                     struct undo_state *state, undo_left_visitor *visit,
                                     void *context)
{
    struct work work = {.visit = visit, .context = context, .budget = limit};
    int64_t now_ms = clock_wall_ms();
    prepare(&work, store, member, wish, state);
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = run(&work);
    store_end_read(store);
    if (result == STORE_DONE)
        keep(&work, state);
    return result;
}

enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_wish *wish, struct undo_state *state,
                                   undo_left_visitor *visit, void *context)
{
    struct transaction transaction;
    struct work work = {
        .transaction = &transaction, .visit = visit, .context = context, .budget = UNDO_SLICE};
    prepare(&work, store, member, wish, state);
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, run(&work));
    if (result == STORE_DONE && !transaction.edit.member_id)
        store_rollback(&transaction);
    else
        result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        keep(&work, state);
    return result;
}
