/* Reads acts and changes in the form in which people view them. Each edit is stored with the
 * content that it replaced. Its own result is the content that the next edit replaced, or the QSO's
 * present content. The pages and the operator's command format them. */
#include "store/history/acts.h"

#include "store/log/qsos.h"
#include "store/store.h"

/* -- Acts -------------------------------------------------------------------------------------- */

static const struct read_column act_columns[] = COLUMNS(
    COLUMN(act, number, "number"), COLUMN(act, last, "last"), COLUMN(act, writer.kind, "writer"),
    COLUMN(act, writer.number, "writer_number"), COLUMN(act, name, "name"),
    COLUMN(act, maker, "operator"), COLUMN(act, revoked, "revoked"), COLUMN(act, work, "work"),
    COLUMN(act, subject, "subject"), COLUMN(act, takes_back, "takes_back"),
    COLUMN(act, began_ms, "began_at"), COLUMN(act, ended_ms, "ended_at"),
    COLUMN(act, created, "created"), COLUMN(act, changed, "changed"),
    COLUMN(act, deleted, "deleted"), COLUMN(act, revived, "revived"),
    COLUMN(act, first_created, "first_created"), COLUMN(act, last_created, "last_created"),
    COLUMN(act, states, "states"), COLUMN(act, is_too_old, "pruned"));

ROW_READER(act_columns, STATEMENT_LIST_ACTS);

static struct statement *list_of(struct store *store, int64_t member_id, int64_t from,
                                 int64_t since_ms, int64_t limit)
{
    return store_with(store, STATEMENT_LIST_ACTS, BIND("member_id", member_id),
                      BIND("number", from), BIND("since", since_ms), BIND("limit", limit));
}

enum store_result store_list_acts(struct store *store, int64_t member_id, int64_t from,
                                  int64_t since_ms, int64_t limit, act_visitor *visit,
                                  void *context)
{
    struct statement *list = list_of(store, member_id, from, since_ms, limit);
    struct act act;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, act_columns, &act, &result))
        visit(context, &act);
    return result;
}

enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out)
{
    struct statement *find = list_of(store, member_id, edit, INT64_MIN, 1);
    enum store_result result = database_find(store->database, find, act_columns, arena, out);
    return result == STORE_DONE && out->last < edit ? STORE_NONE : result;
}

enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out)
{
    enum store_result result = store_find_act_of_edit(store, arena, member_id, number, out);
    return result == STORE_DONE && out->number != number ? STORE_NONE : result;
}

/* -- Results of an edit ------------------------------------------------------------------------ */

/* A change with the memory for it. */
struct reading {
    struct store *store;
    int64_t member_id;
    struct arena arena; /* texts of one change */
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

static enum store_result find_after(struct reading *reading, int64_t qso_id, int64_t edit,
                                    const struct qso **out)
{
    struct statement *find = store_with(reading->store, STATEMENT_FIND_QSO_TOUCH_AFTER,
                                        BIND("member_id", reading->member_id),
                                        BIND("qso_id", qso_id), BIND("edit", edit));
    enum store_result result = database_step(reading->store->database, find);
    if (result == STORE_NONE) {
        result = store_find_own_qso(reading->store, reading->member_id, qso_id, &reading->arena,
                                    &reading->after);
        *out = result == STORE_DONE ? &reading->after : NULL;
        return result == STORE_NONE ? STORE_DONE : result;
    }
    THEN(result, read_state(reading, database_read_text(find, "state"), &reading->after, out));
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

static const struct read_column change_columns[] = COLUMNS(
    COLUMN(change, qso_id, "qso_id"), COLUMN(change, edit, "edit"), COLUMN(change, at_ms, "at"));

ROW_READER(change_columns, STATEMENT_LIST_GONE);
ROW_READER(change_columns, STATEMENT_LIST_FORMER);
ROW_READER(change_columns, STATEMENT_LIST_QSO_TOUCHES);

/* Reads the content that an edit replaced; the statement is at its row. */
static enum store_result show_touch(struct reading *reading, const struct statement *row)
{
    struct change change = {.kind = CHANGE_CHANGED};
    database_read(row, change_columns, NULL, &change);
    enum store_result result =
        read_state(reading, database_read_text(row, "state"), &reading->before, &change.before);
    return THEN(result, show(reading, &change));
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
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_FORMER, BIND("member_id", reading->member_id),
                   BIND("edit", position->edit), BIND("qso_id", position->qso_id),
                   BIND("last", act->last), BIND("began_at", act->began_ms), BIND("limit", *limit));
    while (database_next(store->database, list, &result)) {
        *position = (struct change_position){database_read_integer(list, "edit"),
                                             database_read_integer(list, "qso_id")};
        --*limit;
        result = show_touch(reading, list);
    }
    return result;
}

static enum store_result list_created(struct reading *reading, const struct act *act,
                                      struct change_position *position, int64_t *limit)
{
    struct store *store = reading->store;
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(
        store, STATEMENT_LIST_CREATED_OR_GONE, BIND("member_id", reading->member_id),
        BIND("after", position->qso_id), BIND("last", act->last_created), BIND("limit", *limit));
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

enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    int64_t count = 0, began_ms = 0;
    int64_t oldest = 0; /* the edit whose content the last row's edit replaced */
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(
        store, STATEMENT_LIST_QSO_TOUCHES, BIND("member_id", member_id), BIND("qso_id", qso_id),
        BIND("first", 0), BIND("last", INT64_MAX), BIND("limit", limit));
    for (; database_next(store->database, list, &result); count++) {
        oldest = database_read_integer(list, "previous_edit");
        result = show_touch(&reading, list);
    }
    /* The edit that the QSO has now, if it is there and has no other. */
    if (result == STORE_DONE && count == 0)
        result = store_find_integer(store, "edit", &oldest, STATEMENT_FIND_OWN_QSO,
                                    BIND("member_id", member_id), BIND("id", qso_id));
    if (oldest > 0 && count < limit) {
        THEN(result, store_find_integer(store, "began_at", &began_ms, STATEMENT_FIND_BEGINNING,
                                        BIND("member_id", member_id), BIND("edit", oldest)));
        if (began_ms)
            THEN(result, show_creation(&reading, qso_id, oldest, began_ms));
        else if (result == STORE_NONE)
            result = STORE_DONE;
    }
    arena_free(&reading.arena);
    return result;
}

/* -- Deleted QSOs ------------------------------------------------------------------------------ */

enum store_result store_count_deleted(struct store *store, int64_t member_id, int64_t *count)
{
    return store_find_integer(store, "rows", count, STATEMENT_COUNT_DELETED,
                              BIND("member_id", member_id));
}

enum store_result store_list_removed(struct store *store, int64_t member_id, int64_t limit,
                                     struct change_position *position, change_visitor *visit,
                                     void *context)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(store, STATEMENT_LIST_GONE, BIND("member_id", member_id),
                                        BIND("edit", position->edit),
                                        BIND("before", position->qso_id), BIND("limit", limit));
    while (database_next(store->database, list, &result)) {
        struct change change = {.kind = CHANGE_DELETED};
        database_read(list, change_columns, NULL, &change);
        change.undone = database_read_integer(list, "undone");
        *position = (struct change_position){change.edit, change.qso_id};
        result = read_state(&reading, database_read_text(list, "state"), &reading.before,
                            &change.before);
        if (result == STORE_DONE && change.before) {
            reading.before.values[FIELD_ID] =
                (struct value){.integer = change.qso_id, .state = VALUE_PRESENT};
            visit(context, &change);
        }
        arena_reset(&reading.arena);
    }
    arena_free(&reading.arena);
    return result;
}
