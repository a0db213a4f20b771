/* Walks back through a QSO's history, newest first, to the first edit that must be undone.
 *
 * Each edit wrote the QSO's content, and recorded the edit whose content was replaced, so the
 * contents form a tree. An undo moves the QSO to another place in the tree, and records the
 * previous place. The writer of the latest row does not matter: only the origin of the current
 * content counts. */
#include "store/history/undo_plan.h"

#include <stdlib.h>

#include "base/uuid.h"
#include "store/state.h"
#include "store/store.h"

static enum store_result find_act(struct undo_set *set, int64_t edit)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(undo_act, number, "number"), COLUMN(undo_act, last, "last"),
                COLUMN(undo_act, began_ms, "began_at"), COLUMN(undo_act, is_in, "is_in"));
    if (set->act.number && edit >= set->act.number && edit <= set->act.last)
        return STORE_DONE;
    set->act = (struct undo_act){0};
    enum store_result result =
        store_find(set->store, columns, NULL, &set->act, STATEMENT_FIND_UNDO_ACT,
                   BIND_UNDO_SET(set), BIND("edit", edit));
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Stores in *is_in whether this edit, which wrote the QSO at this time, must be undone. */
static enum store_result has_edit(struct undo_set *set, const struct undo_plan *plan, int64_t edit,
                                  int64_t at_ms, bool *is_in)
{
    *is_in = false;
    if (edit > set->state->through || edit < set->state->oldest)
        return STORE_DONE;
    if (set->request->removed) {
        *is_in = edit == plan->found_at;
        return STORE_DONE;
    }
    enum store_result result = find_act(set, edit);
    *is_in = set->act.is_in && (set->request->act || set->act.began_ms >= set->request->since_ms ||
                                at_ms >= set->request->since_ms);
    return result;
}

static bool may_take_others(const struct undo_set *set, int64_t qso_id, int64_t newest)
{
    const struct undo_request *request = set->request;
    if (newest > set->state->through)
        return false;
    return request->takes_all ||
           (request->taken_count && bsearch(&qso_id, request->taken, request->taken_count,
                                            sizeof qso_id, undo_compare_ids));
}

struct walk {
    struct undo_set *set;
    struct undo_plan *plan;
    struct arena *arena;
    int64_t qso_id;
    int64_t at;   /* argument `at` of undo_plan_qso */
    int64_t edit; /* edit of the content before the rows read so far */
    bool is_there;
    struct qso content;
    struct arena texts[3]; /* memory for this content, the target's content and the next content */
    int of_content, of_target;
    bool found; /* whether an edit to undo was found */
    /* latest edit to undo that the current content does not come from; 0: none */
    int64_t aside;
    int64_t before_aside; /* edit whose content was replaced by the earliest such edit */
    bool was_there;       /* whether the QSO existed before the earliest such edit */
    int64_t changed_by;   /* latest edit that the undo keeps; 0: none */
    bool moved;           /* whether another undo has written since this undo began */
    bool would_be;        /* whether the QSO would exist after the undo */
    bool refused;         /* whether a later change by somebody else prevents the undo */
    bool is_done;         /* whether the QSO is already undone, or is planned at another edit */
    bool ends;
};

static const struct read_column found_columns[] =
    COLUMNS(COLUMN(undo_plan, edit, "edit"), COLUMN_IF(undo_plan, confirmed_by, "confirmed_by"),
            COLUMN_IF(undo_plan, found_at, "removed_by"));

ROW_READER(found_columns, STATEMENT_FIND_OWN_QSO);

static enum store_result read_present(struct walk *walk)
{
    struct store *store = walk->set->store;
    struct undo_plan *plan = walk->plan;
    struct statement *find =
        store_with(store, STATEMENT_FIND_OWN_QSO, BIND("member_id", walk->set->member_id),
                   BIND("id", walk->qso_id));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        plan->is_there = true;
        database_read(find, found_columns, NULL, plan);
        columns_read_qso(&store->columns, find, &plan->present);
        columns_keep_texts(&plan->present, walk->arena);
    }
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result read_gone(struct walk *walk)
{
    walk->plan->present.values[FIELD_ID] =
        (struct value){.integer = walk->qso_id, .state = VALUE_PRESENT};
    return store_find(walk->set->store, found_columns, NULL, walk->plan, STATEMENT_FIND_GONE,
                      BIND("member_id", walk->set->member_id), BIND("qso_id", walk->qso_id));
}

/* Returns whether the QSO is planned at an edit other than the edit at the current place. If
 * somebody else runs an undo at the same time, this undo may already have passed that edit. */
static bool is_elsewhere(const struct walk *walk, int64_t edit)
{
    return walk->at != UNDO_ANYWHERE && walk->at != edit && !(walk->moved && edit > walk->at);
}

/* Handles an edit to undo at this place: the content before the edit is the new target. The first
 * edit that the walk finds is the latest. */
static void take(struct walk *walk, int64_t at)
{
    struct undo_plan *plan = walk->plan;
    bool is_latest = !walk->found;
    if (is_latest && is_elsewhere(walk, at))
        walk->is_done = walk->ends = true;
    walk->found = true;
    walk->would_be = walk->is_there;
    walk->refused = plan->blocked_by && !may_take_others(walk->set, walk->qso_id, plan->blocked_by);
    plan->content = walk->content;
    walk->of_target = walk->of_content;
    if (!walk->refused)
        plan->target = walk->edit;
}

/* Reads the content of a previous state. Only three contents are in memory, because a QSO may have
 * been written many times. Fields outside the state's extent keep the values of the content read
 * before. */
static bool read_content(struct walk *walk, struct text state)
{
    int next = 0;
    while (next == walk->of_content || next == walk->of_target)
        next++;
    struct arena *arena = &walk->texts[next];
    arena_reset(arena);
    if (!state_read(state, arena, &walk->content))
        return false;
    columns_keep_texts(&walk->content, arena);
    walk->of_content = next;
    return true;
}

/* Handles an edit that was itself undone, so the current content does not come from this edit. */
static enum store_result pass_by(struct walk *walk, const struct statement *row, bool is_in)
{
    struct text state = database_read_text(row, "state");
    bool is_content = !walk->plan->is_there && walk->plan->steps == 1 && state.bytes;
    if (is_content && !read_content(walk, state))
        return STORE_BROKEN;
    if (!is_in || walk->found || walk->set->request->removed)
        return STORE_DONE;
    if (!walk->aside)
        walk->aside = database_read_integer(row, "edit");
    walk->before_aside = database_read_integer(row, "previous_edit");
    walk->was_there = state.bytes != NULL;
    return STORE_DONE;
}

/* Moves back over the edit in the statement's row. */
static enum store_result step_back(struct walk *walk, const struct statement *row)
{
    int64_t edit = database_read_integer(row, "edit");
    walk->plan->steps++;
    if (edit == walk->set->state->number) {
        walk->is_done = walk->ends = true;
        return STORE_DONE;
    }
    bool is_undo = !database_is_null(row, "restored_edit"), is_in;
    enum store_result result =
        has_edit(walk->set, walk->plan, edit, database_read_integer(row, "at"), &is_in);
    if (result != STORE_DONE)
        return result;
    walk->moved = walk->moved || (is_undo && edit > walk->set->state->through);
    if (!is_in && !walk->changed_by)
        walk->changed_by = edit;
    if (is_undo ? !is_in || database_read_integer(row, "restored_edit") != walk->edit
                : edit != walk->edit)
        return pass_by(walk, row, is_in);
    if (!is_in && walk->found && !walk->plan->blocked_by) {
        walk->ends = true;
        return STORE_DONE;
    }
    if (!is_in && !walk->plan->blocked_by)
        walk->plan->blocked_by = edit;
    struct text state = database_read_text(row, "state");
    walk->is_there = state.bytes != NULL;
    if (walk->is_there && !read_content(walk, state))
        return STORE_BROKEN;
    walk->edit = database_read_integer(row, "previous_edit");
    if (is_in)
        take(walk, edit);
    return STORE_DONE;
}

/* Handles the first edit, which created the QSO: no row has the content from before its creation.
 */
static enum store_result step_to_creation(struct walk *walk)
{
    bool is_in;
    int64_t edit = walk->edit;
    if (walk->ends || !walk->is_there || edit == 0)
        return STORE_DONE;
    enum store_result result = has_edit(walk->set, walk->plan, edit,
                                        walk->content.values[FIELD_CREATED_AT].integer, &is_in);
    if (result != STORE_DONE || !is_in)
        return result;
    walk->edit = 0;
    walk->is_there = false;
    take(walk, UNDO_AT_CREATION);
    return STORE_DONE;
}

/* Reports a QSO as skipped if others changed the QSO after an earlier undo, so that their change is
 * kept like any later change. Ignores a QSO whose current content is the content from before the
 * edits to undo. Content that an edit to undo created does not count as earlier content. */
static enum store_result leave_changed(struct walk *walk)
{
    struct undo_plan *plan = walk->plan;
    bool created = false;
    if (walk->found || walk->is_done || !walk->aside || is_elsewhere(walk, walk->aside))
        return STORE_DONE;
    enum store_result result = STORE_DONE;
    if (walk->was_there)
        result = has_edit(walk->set, plan, walk->before_aside,
                          walk->content.values[FIELD_CREATED_AT].integer, &created);
    walk->was_there = walk->was_there && !created;
    if (result != STORE_DONE || (plan->is_there == walk->was_there &&
                                 (!plan->is_there || plan->edit == walk->before_aside)))
        return result;
    plan->blocked_by = walk->changed_by;
    plan->content = walk->content;
    walk->of_target = walk->of_content;
    walk->found = walk->refused = walk->would_be = true;
    return STORE_DONE;
}

static enum store_result walk_back(struct walk *walk)
{
    struct store *store = walk->set->store;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSO_TOUCHES, BIND("member_id", walk->set->member_id),
                   BIND("qso_id", walk->qso_id), BIND("first", walk->set->state->oldest),
                   BIND("last", INT64_MAX), BIND("limit", INT64_MAX));
    while (!walk->ends && database_next(store->database, list, &result))
        result = step_back(walk, list);
    sqlite3_reset(list->handle);
    THEN(result, step_to_creation(walk));
    return THEN(result, leave_changed(walk));
}

/* Decides what to do with the QSO. Ignores a QSO that does not exist and would not exist after the
 * undo. Also ignores a finished QSO: from its current place in the tree, other edits could seem to
 * be edits to undo. */
static enum undo_action decide(const struct walk *walk)
{
    bool is_there = walk->plan->is_there;
    if (walk->is_done || !walk->found || (!is_there && !walk->would_be))
        return UNDO_NOTHING;
    if (walk->refused)
        return UNDO_LEAVE;
    return !is_there ? UNDO_REVIVE : walk->would_be ? UNDO_CHANGE : UNDO_DELETE;
}

/* Plans the QSO's future content, without considering other QSOs with the same clientId. */
static enum store_result plan_alone(struct undo_set *set, int64_t qso_id, int64_t at,
                                    struct arena *arena, struct undo_plan *plan)
{
    struct walk walk = {.set = set, .plan = plan, .arena = arena, .qso_id = qso_id, .at = at};
    *plan = (struct undo_plan){0};
    enum store_result result = read_present(&walk);
    if (result == STORE_NONE)
        result = read_gone(&walk);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    plan->target = walk.edit = plan->edit;
    walk.is_there = plan->is_there;
    walk.content = plan->present;
    result = walk_back(&walk);
    plan->action = decide(&walk);
    columns_keep_texts(&plan->content, arena);
    for (size_t i = 0; i < sizeof walk.texts / sizeof *walk.texts; i++)
        arena_free(&walk.texts[i]);
    return result;
}

#define RIVALS_MAX 16

struct holder {
    int64_t id, member_id;
};

/* Stores in *found whether another QSO with the same clientId was deleted later, and that deletion
 * is not undone. The log must keep that deletion. */
static enum store_result find_rival(struct undo_set *set, const struct undo_plan *plan,
                                    struct arena *arena, bool *found)
{
    struct store *store = set->store;
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(
        store, STATEMENT_LIST_GONE_RIVALS, BIND("member_id", set->member_id),
        BIND("number", set->state->number), BIND("qso_id", plan->content.values[FIELD_ID].integer),
        BIND_BLOB("client_id", plan->content.values[FIELD_CLIENT_ID].text, UUID_BYTES),
        BIND("limit", RIVALS_MAX));
    *found = false;
    while (!*found && database_next(store->database, list, &result)) {
        struct undo_plan *rival = arena_allocate(arena, sizeof *rival);
        result =
            plan_alone(set, database_read_integer(list, "qso_id"), UNDO_ANYWHERE, arena, rival);
        *found = rival->target != 0 || rival->action == UNDO_REVIVE;
    }
    sqlite3_reset(list->handle);
    return result;
}

/* Stores in *in_use whether the QSO cannot be restored because another QSO uses its clientId. */
static enum store_result is_in_use(struct undo_set *set, const struct undo_plan *plan,
                                   struct arena *arena, bool *in_use)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(holder, id, "id"), COLUMN(holder, member_id, "member_id"));
    const struct value *client_id = &plan->content.values[FIELD_CLIENT_ID];
    struct holder holder;
    bool away = false;
    *in_use = false;
    if (client_id->state != VALUE_PRESENT)
        return STORE_DONE;
    enum store_result result =
        store_find(set->store, columns, NULL, &holder, STATEMENT_FIND_CLIENT_ID_HOLDER,
                   BIND_BLOB("client_id", client_id->text, UUID_BYTES));
    bool is_chosen = set->request->removed && set->request->only_count;
    if (result == STORE_NONE)
        return is_chosen ? STORE_DONE : find_rival(set, plan, arena, in_use);
    if (result == STORE_DONE && holder.member_id == set->member_id) {
        struct undo_plan *other = arena_allocate(arena, sizeof *other);
        result = plan_alone(set, holder.id, UNDO_ANYWHERE, arena, other);
        away = other->action == UNDO_DELETE || (!other->is_there && other->action == UNDO_NOTHING);
    }
    *in_use = !away;
    return result;
}

enum store_result undo_plan_qso(struct undo_set *set, int64_t qso_id, int64_t at,
                                struct arena *arena, struct undo_plan *out)
{
    bool in_use = false;
    enum store_result result = plan_alone(set, qso_id, at, arena, out);
    if (result == STORE_DONE && out->action == UNDO_REVIVE)
        result = is_in_use(set, out, arena, &in_use);
    if (in_use) {
        out->action = UNDO_LEAVE;
        out->reason = UNDO_CLIENT_ID_IN_USE;
    }
    return result;
}
