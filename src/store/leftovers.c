/* Keeps leftovers beside QSOs. A row is of the edit that brought it, and holds for the content of
 * that edit and of later ones, up to the next row: taking back, which gives a QSO the content of an
 * earlier edit, brings its leftovers back without a write. Ordinary changes write no row. What the
 * fields mean is left to src/adif, when they are too old to history.c. */
#include "store/leftovers.h"

#include "store/store.h"

static struct statement *about(struct store *store, enum statement_name name, int64_t member_id,
                               int64_t id)
{
    struct statement *statement = store_member_statement(store, name, member_id);
    database_bind_integer(statement, ":qso_id", id);
    return statement;
}

/* -- Reading ----------------------------------------------------------------------------------- */

enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_LEFTOVERS, member_id);
    database_bind_integer(find, ":id", id);
    *out = (struct text){0};
    enum store_result result = database_step(store->database, find);
    struct text fields = {0};
    if (result == STORE_DONE)
        fields = database_read_text(find, "fields");
    if (fields.length > 0)
        *out = (struct text){arena_copy(arena, fields.bytes, fields.length), fields.length};
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_ANY_LEFTOVERS, member_id);
    enum store_result result = database_step(store->database, find);
    *out = result == STORE_DONE;
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_leftovers(
    struct store *store, int64_t member_id, int64_t limit, struct leftovers_position *position,
    void (*visit)(void *context, const struct leftovers_position *position, struct text fields),
    void *context, bool *last)
{
    struct statement *list = about(store, STATEMENT_LIST_LEFTOVERS, member_id, position->qso_id);
    enum store_result result = STORE_DONE;
    int64_t count = 0;
    database_bind_integer(list, ":edit", position->edit);
    database_bind_integer(list, ":limit", limit);
    for (; database_next(store->database, list, &result); count++) {
        *position = (struct leftovers_position){database_read_integer(list, "qso_id"),
                                                database_read_integer(list, "edit")};
        visit(context, position, database_read_text(list, "fields"));
    }
    *last = count < limit;
    return result;
}

/* -- Writing ----------------------------------------------------------------------------------- */

/* Most members have none, and asking once in a transaction is enough. */
static enum store_result find_any(struct transaction *transaction, int64_t member_id)
{
    if (transaction->leftovers_member_id == member_id)
        return STORE_DONE;
    enum store_result result =
        store_has_leftovers(transaction->store, member_id, &transaction->has_leftovers);
    if (result == STORE_DONE)
        transaction->leftovers_member_id = member_id;
    return result;
}

static enum store_result insert(struct transaction *transaction, int64_t member_id, int64_t id,
                                struct text leftovers)
{
    struct store *store = transaction->store;
    const int64_t edit = transaction->edit.number;
    struct statement *insert = about(store, STATEMENT_INSERT_LEFTOVERS, member_id, id);
    database_bind_integer(insert, ":edit", edit);
    database_bind_blob(insert, ":fields", leftovers.bytes, leftovers.length);
    transaction->leftovers_member_id = member_id;
    transaction->has_leftovers = true;
    enum store_result result = database_run(store->database, insert);
    if (result != STORE_DONE || transaction->edit.act)
        return result == STORE_REFUSED ? STORE_BROKEN : result;
    struct statement *remove = about(store, STATEMENT_DELETE_FORMER_LEFTOVERS, member_id, id);
    database_bind_integer(remove, ":edit", edit);
    return database_run(store->database, remove);
}

enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers)
{
    struct store *store = transaction->store;
    if (leftovers.length > 0)
        return insert(transaction, member_id, id, leftovers);
    enum store_result result = find_any(transaction, member_id);
    if (result != STORE_DONE || !transaction->has_leftovers)
        return result;
    struct statement *inherit = about(store, STATEMENT_INSERT_INHERITED_LEFTOVERS, member_id, id);
    database_bind_integer(inherit, ":edit", transaction->edit.number);
    database_bind_integer(inherit, ":previous_edit", previous_edit);
    return database_run(store->database, inherit);
}

enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id)
{
    struct store *store = transaction->store;
    enum store_result result = find_any(transaction, member_id);
    if (result != STORE_DONE || !transaction->has_leftovers)
        return result;
    return database_run(store->database, about(store, STATEMENT_DELETE_LEFTOVERS, member_id, id));
}

enum store_result leftovers_remove_all(struct transaction *transaction, int64_t member_id,
                                       int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    struct statement *remove =
        store_member_statement(store, STATEMENT_DELETE_MEMBER_LEFTOVERS, member_id);
    database_bind_integer(remove, ":limit", limit);
    enum store_result result = database_run(store->database, remove);
    *last = sqlite3_changes(store->database->handle) < limit;
    return result;
}
