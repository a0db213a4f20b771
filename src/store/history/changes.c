/* Reads changes of QSOs in the form in which people view them: the content before and after an
 * edit. Each edit is stored with the content that it replaced. The content after an edit is the
 * content that the QSO's next edit replaced, or the QSO's current content. */
#include "store/history/changes.h"

#include "store/log/qsos.h"
#include "store/state.h"
#include "store/store.h"

/* A list of changes, with the memory for one change. */
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

/* Passes the change in the row to visit: the content that an edit replaced, and the content after
 * the edit. */
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

static enum store_result list_touched(struct reading *reading, struct changes_page *page,
                                      int64_t *limit)
{
    struct store *store = reading->store;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_FORMER, BIND("member_id", reading->member_id),
                   BIND("edit", page->position.edit), BIND("qso_id", page->position.qso_id),
                   BIND("last", page->act->last), BIND("began_at", page->act->began_ms),
                   BIND("limit", *limit));
    while (database_next(store->database, list, &result)) {
        page->position = (struct change_position){database_read_integer(list, "edit"),
                                                  database_read_integer(list, "qso_id")};
        --*limit;
        result = show_touch(reading, list);
    }
    return result;
}

static enum store_result list_created(struct reading *reading, struct changes_page *page,
                                      int64_t *limit)
{
    struct store *store = reading->store;
    const struct act *act = page->act;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_CREATED_OR_GONE, BIND("member_id", reading->member_id),
                   BIND("after", page->position.qso_id), BIND("last", act->last_created),
                   BIND("limit", *limit));
    while (database_next(store->database, list, &result)) {
        page->position.qso_id = database_read_integer(list, "qso_id");
        --*limit;
        result = show_creation(reading, page->position.qso_id, act->number, act->began_ms);
    }
    return result;
}

enum store_result store_list_changes(struct store *store, struct changes_page *page,
                                     change_visitor *visit, void *context)
{
    struct reading reading = {
        .store = store, .member_id = page->member_id, .visit = visit, .context = context};
    const struct act *act = page->act;
    enum store_result result = STORE_DONE;
    int64_t limit = page->limit;
    if (page->position.edit < act->number)
        page->position = (struct change_position){act->number, 0};
    if (page->position.edit <= act->last) {
        result = list_touched(&reading, page, &limit);
        if (limit > 0)
            page->position = (struct change_position){INT64_MAX, act->first_created - 1};
    }
    if (result == STORE_DONE && limit > 0 && act->first_created)
        result = list_created(&reading, page, &limit);
    page->is_last = limit > 0;
    arena_free(&reading.arena);
    return result;
}

enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context)
{
    struct reading reading = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    int64_t count = 0, began_ms = 0;
    /* number of the edit whose content was replaced by the edit in the last row */
    int64_t oldest = 0;
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(
        store, STATEMENT_LIST_QSO_TOUCHES, BIND("member_id", member_id), BIND("qso_id", qso_id),
        BIND("first", 0), BIND("last", INT64_MAX), BIND("limit", limit));
    for (; database_next(store->database, list, &result); count++) {
        oldest = database_read_integer(list, "previous_edit");
        result = show_touch(&reading, list);
    }
    /* If no replaced content is stored, the QSO can still have the content from the edit that
     * created it. */
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
