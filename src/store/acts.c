/* Acts and changes, as people look at them. What an edit replaced is stored with it; what it made
 * of a QSO is what the next edit replaced, or what the QSO is now. Only reads; how they look is
 * left to the pages and the operator's command. */
#include "store/history.h"

#include "store/log.h"
#include "store/store.h"

/* -- Acts -------------------------------------------------------------------------------------- */

static void read_act(const struct statement *row, struct act *act)
{
    *act = (struct act){
        .number = database_read_integer(row, "number"),
        .last = database_read_integer(row, "last"),
        .writer = {(enum writer_kind)database_read_integer(row, "writer"),
                   database_read_integer(row, "writer_number")},
        .name = database_read_text(row, "name"),
        .maker = database_read_text(row, "operator"),
        .revoked = database_read_integer(row, "revoked") != 0,
        .work = (enum history_work)database_read_integer(row, "work"),
        .subject = database_read_text(row, "subject"),
        .takes_back = database_read_integer(row, "takes_back"),
        .began_ms = database_read_integer(row, "began_at"),
        .ended_ms = database_read_integer(row, "ended_at"),
        .created = database_read_integer(row, "created"),
        .changed = database_read_integer(row, "changed"),
        .deleted = database_read_integer(row, "deleted"),
        .revived = database_read_integer(row, "revived"),
        .first_created = database_read_integer(row, "first_created"),
        .last_created = database_read_integer(row, "last_created"),
        .states = database_read_integer(row, "states"),
        .is_too_old = database_read_integer(row, "pruned") != 0,
    };
}

static struct statement *prepare_list(struct store *store, int64_t member_id, int64_t from,
                                      int64_t since_ms, int64_t limit)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_ACTS, member_id);
    database_bind_integer(list, ":number", from);
    database_bind_integer(list, ":since", since_ms);
    database_bind_integer(list, ":limit", limit);
    return list;
}

enum store_result store_list_acts(struct store *store, int64_t member_id, int64_t from,
                                  int64_t since_ms, int64_t limit, act_visitor *visit,
                                  void *context)
{
    struct statement *list = prepare_list(store, member_id, from, since_ms, limit);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct act act;
        read_act(list, &act);
        visit(context, &act);
    }
    return result;
}

enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out)
{
    struct statement *list = prepare_list(store, member_id, edit, INT64_MIN, 1);
    enum store_result result = database_step(store->database, list);
    if (result != STORE_DONE)
        return result;
    read_act(list, out);
    out->name = database_keep_text(list, "name", arena);
    out->subject = database_keep_text(list, "subject", arena);
    out->maker = database_keep_text(list, "operator", arena);
    sqlite3_reset(list->handle);
    return out->last >= edit ? STORE_DONE : STORE_NONE;
}

enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out)
{
    enum store_result result = store_find_act_of_edit(store, arena, member_id, number, out);
    return result == STORE_DONE && out->number != number ? STORE_NONE : result;
}

/* -- What an edit made of a QSO ---------------------------------------------------------------- */

/* A change with the memory for it. */
struct reading {
    struct store *store;
    int64_t member_id;
    struct arena arena; /* of one change */
    struct qso before, after;
    change_visitor *visit;
    void *context;
};

static enum store_result read_state(struct reading *reading, struct text state, struct qso *qso,
                                    const struct qso **out)
{
    *out = NULL;
    if (!state.bytes)
        return STORE_DONE;
    *qso = (struct qso){0};
    if (!state_read(state, &reading->arena, qso))
        return STORE_BROKEN;
    *out = qso;
    return STORE_DONE;
}

static enum store_result read_present(struct reading *reading, int64_t qso_id,
                                      const struct qso **out)
{
    enum store_result result = store_find_own_qso(reading->store, reading->member_id, qso_id,
                                                  &reading->arena, &reading->after);
    *out = result == STORE_DONE ? &reading->after : NULL;
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result step_after(struct reading *reading, struct statement *find, int64_t qso_id,
                                    int64_t edit)
{
    struct store *store = reading->store;
    database_bind_integer(find, ":member_id", reading->member_id);
    database_bind_integer(find, ":qso_id", qso_id);
    database_bind_integer(find, ":edit", edit);
    return database_step(store->database, find);
}

/* A QSO that is written again and again is touched by each edit: only if the next one is not its
 * own is the way there searched from what it is now. */
static enum store_result find_after(struct reading *reading, int64_t qso_id, int64_t edit,
                                    const struct qso **out)
{
    struct database *database = reading->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_TOUCH_NEXT);
    enum store_result result = step_after(reading, find, qso_id, edit);
    if (result == STORE_NONE) {
        find = database_statement(database, STATEMENT_FIND_QSO_TOUCH_AFTER);
        result = step_after(reading, find, qso_id, edit);
    }
    if (result == STORE_NONE)
        return read_present(reading, qso_id, out);
    if (result == STORE_DONE)
        result = read_state(reading, database_read_text(find, "state"), &reading->after, out);
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result show(struct reading *reading, struct change *change)
{
    enum store_result result = find_after(reading, change->qso_id, change->edit, &change->after);
    if (change->kind != CHANGE_CREATED)
        change->kind = !change->before  ? CHANGE_RESTORED
                       : !change->after ? CHANGE_DELETED
                                        : CHANGE_CHANGED;
    if (result == STORE_DONE && (change->before || change->after))
        reading->visit(reading->context, change);
    arena_reset(&reading->arena);
    return result;
}

static enum store_result show_touch(struct reading *reading, int64_t qso_id, int64_t began_ms,
                                    const struct statement *row)
{
    struct change change = {.kind = CHANGE_CHANGED,
                            .qso_id = qso_id,
                            .edit = database_read_integer(row, "edit"),
                            .at_ms = began_ms + database_read_integer(row, "at")};
    enum store_result result =
        read_state(reading, database_read_text(row, "state"), &reading->before, &change.before);
    return result == STORE_DONE ? show(reading, &change) : result;
}

static enum store_result show_creation(struct reading *reading, int64_t qso_id, int64_t edit,
                                       int64_t at_ms)
{
    struct change change = {.kind = CHANGE_CREATED, .qso_id = qso_id, .edit = edit, .at_ms = at_ms};
    return show(reading, &change);
}

/* -- Changes of an act ------------------------------------------------------------------------- */

static enum store_result list_touched(struct reading *reading, const struct act *act,
                                      struct change_position *position, int64_t *limit)
{
    struct store *store = reading->store;
    struct statement *list =
        store_member_statement(store, STATEMENT_LIST_FORMER, reading->member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":edit", position->edit);
    database_bind_integer(list, ":qso_id", position->qso_id);
    database_bind_integer(list, ":last", act->last);
    database_bind_integer(list, ":limit", *limit);
    while (database_next(store->database, list, &result)) {
        *position = (struct change_position){database_read_integer(list, "edit"),
                                             database_read_integer(list, "qso_id")};
        --*limit;
        result = show_touch(reading, position->qso_id, act->began_ms, list);
    }
    return result;
}

static enum store_result list_created(struct reading *reading, const struct act *act,
                                      struct change_position *position, int64_t *limit)
{
    struct store *store = reading->store;
    struct statement *list =
        store_member_statement(store, STATEMENT_LIST_CREATED_OR_GONE, reading->member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":after", position->qso_id);
    database_bind_integer(list, ":last", act->last_created);
    database_bind_integer(list, ":limit", *limit);
    while (database_next(store->database, list, &result)) {
        position->qso_id = database_read_integer(list, "qso_id");
        --*limit;
        result = show_creation(reading, position->qso_id, act->number, act->began_ms);
    }
    return result;
}

enum store_result store_list_changes(struct store *store, int64_t member_id, const struct act *act,
                                     int64_t limit, struct change_position *position,
                                     change_visitor *visit, void *context, bool *last)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    enum store_result result = STORE_DONE;
    if (position->edit < act->number)
        *position = (struct change_position){act->number, 0};
    if (position->edit <= act->last) {
        result = list_touched(&reading, act, position, &limit);
        if (limit > 0)
            *position = (struct change_position){INT64_MAX, act->first_created - 1};
    }
    if (result == STORE_DONE && limit > 0 && act->first_created)
        result = list_created(&reading, act, position, &limit);
    *last = limit > 0;
    arena_free(&reading.arena);
    return result;
}

/* -- Changes of a QSO -------------------------------------------------------------------------- */

static enum store_result find_beginning(struct reading *reading, int64_t edit, int64_t *began_ms)
{
    struct act act;
    struct arena arena = {0};
    enum store_result result =
        store_find_act_of_edit(reading->store, &arena, reading->member_id, edit, &act);
    *began_ms = result == STORE_DONE ? act.began_ms : 0;
    arena_free(&arena);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result list_touches(struct reading *reading, int64_t qso_id, int64_t limit,
                                      int64_t *count, int64_t *oldest)
{
    struct store *store = reading->store;
    struct statement *list =
        store_member_statement(store, STATEMENT_LIST_QSO_TOUCHES, reading->member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":qso_id", qso_id);
    database_bind_integer(list, ":first", 0);
    database_bind_integer(list, ":last", INT64_MAX);
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        int64_t began_ms;
        ++*count;
        *oldest = database_read_integer(list, "previous_edit");
        result = find_beginning(reading, database_read_integer(list, "edit"), &began_ms);
        if (result == STORE_DONE)
            result = show_touch(reading, qso_id, began_ms, list);
    }
    return result;
}

/* The edit that the QSO has now, if it is there and has no other. */
static enum store_result find_edit(struct reading *reading, int64_t qso_id, int64_t *edit)
{
    struct store *store = reading->store;
    struct statement *find =
        store_member_statement(store, STATEMENT_FIND_OWN_QSO, reading->member_id);
    database_bind_integer(find, ":id", qso_id);
    return database_find_integer(store->database, find, "edit", edit);
}

enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    int64_t count = 0, oldest = 0, began_ms = 0;
    enum store_result result = list_touches(&reading, qso_id, limit, &count, &oldest);
    if (result == STORE_DONE && count == 0)
        result = find_edit(&reading, qso_id, &oldest);
    if (result == STORE_DONE && oldest > 0 && count < limit) {
        result = find_beginning(&reading, oldest, &began_ms);
        if (result == STORE_DONE && began_ms)
            result = show_creation(&reading, qso_id, oldest, began_ms);
    }
    arena_free(&reading.arena);
    return result;
}

/* -- What is gone ------------------------------------------------------------------------------ */

enum store_result store_list_removed(struct store *store, int64_t member_id, int64_t limit,
                                     struct change_position *position, change_visitor *visit,
                                     void *context)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    struct statement *list = store_member_statement(store, STATEMENT_LIST_GONE, member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":edit", position->edit);
    database_bind_integer(list, ":before", position->qso_id);
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        struct change change = {.kind = CHANGE_DELETED,
                                .qso_id = database_read_integer(list, "qso_id"),
                                .edit = database_read_integer(list, "removed_by"),
                                .at_ms = database_read_integer(list, "removed_at")};
        *position = (struct change_position){change.edit, change.qso_id};
        result = read_state(&reading, database_read_text(list, "state"), &reading.before,
                            &change.before);
        if (result == STORE_DONE && change.before) {
            reading.before.values[FIELD_ID] =
                (struct value){.integer = change.qso_id, .presence = VALUE_PRESENT};
            visit(context, &change);
        }
        arena_reset(&reading.arena);
    }
    arena_free(&reading.arena);
    return result;
}
