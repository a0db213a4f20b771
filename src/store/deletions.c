/* Keeps what stands beside the QSOs of a log: tombstones, leftovers, and who made a QSO of a
 * station. A tombstone is written with the deletion, under its stamp, so what holds for the stamps
 * of QSOs (writer_lock.c) holds for it: no download misses one. It is removed when its clientId is
 * in use again, because the client then gets the QSO itself, or when it has been kept long enough.
 * What leftovers mean is left to src/adif. */
#include "store/qsos.h"

#include "base/datetime.h"
#include "base/uuid.h"
#include "store/store.h"

/* How many old tombstones each deletion removes. More than one, so that their number falls. */
#define REMOVED_AT_ONCE 2

/* The latest deletion whose tombstone may be removed. */
static int64_t oldest_kept_ms(const struct store *store, int64_t now_ms)
{
    return now_ms - store->tombstone_days * DATETIME_DAY_MS;
}

void store_set_tombstone_days(struct store *store, int64_t days)
{
    store->tombstone_days = days;
}

static enum store_result remove_old(struct transaction *transaction)
{
    struct store *store = transaction->store;
    struct statement *raise = database_statement(store->database, STATEMENT_RAISE_DELETIONS_SINCE);
    int64_t until_ms = oldest_kept_ms(store, transaction->stamp_ms);
    database_bind_integer(raise, ":deletions_since", until_ms);
    enum store_result result = database_change(store->database, raise);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    struct statement *remove = database_statement(store->database, STATEMENT_DELETE_OLD_TOMBSTONES);
    database_bind_integer(remove, ":deleted_at", until_ms);
    database_bind_integer(remove, ":limit", REMOVED_AT_ONCE);
    return database_run(store->database, remove);
}

enum store_result deletions_add(struct transaction *transaction, int64_t id)
{
    struct store *store = transaction->store;
    struct statement *insert = database_statement(store->database, STATEMENT_INSERT_TOMBSTONE);
    database_bind_integer(insert, ":id", id);
    database_bind_integer(insert, ":deleted_at", transaction->stamp_ms);
    enum store_result result = database_run(store->database, insert);
    return result == STORE_DONE ? remove_old(transaction) : result;
}

enum store_result deletions_end(struct transaction *transaction, int64_t member_id, int64_t id,
                                const void *client_id)
{
    struct store *store = transaction->store;
    struct statement *remove = store_member_statement(
        store, client_id ? STATEMENT_DELETE_TOMBSTONE : STATEMENT_DELETE_NAMELESS_TOMBSTONE,
        member_id);
    if (client_id)
        database_bind_blob(remove, ":client_id", client_id, UUID_BYTES);
    else
        database_bind_integer(remove, ":id", id);
    return database_run(store->database, remove);
}

/* Removes at most `limit` rows of a member; *last: none is left. */
static enum store_result remove_some(struct store *store, enum statement_name name,
                                     int64_t member_id, int64_t limit, bool *last)
{
    struct statement *remove = store_member_statement(store, name, member_id);
    database_bind_integer(remove, ":limit", limit);
    enum store_result result = database_run(store->database, remove);
    *last = sqlite3_changes(store->database->handle) < limit;
    return result;
}

enum store_result deletions_remove_all(struct transaction *transaction, int64_t member_id,
                                       int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    struct statement *update =
        store_member_statement(store, STATEMENT_UPDATE_MEMBER_DELETIONS_SINCE, member_id);
    database_bind_integer(update, ":deletions_since", transaction->stamp_ms);
    enum store_result result = database_run(store->database, update);
    return result == STORE_DONE
               ? remove_some(store, STATEMENT_DELETE_MEMBER_TOMBSTONES, member_id, limit, last)
               : result;
}

enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms)
{
    struct statement *find =
        store_member_statement(store, STATEMENT_FIND_DELETIONS_SINCE, member_id);
    const int64_t kept_ms = oldest_kept_ms(store, now_ms);
    enum store_result result =
        database_find_integer(store->database, find, "deletions_since", since_ms);
    if (result == STORE_DONE && *since_ms < kept_ms)
        *since_ms = kept_ms;
    return result;
}

enum store_result store_list_tombstones(struct store *store, int64_t member_id,
                                        struct position after, int64_t limit,
                                        void (*visit)(void *context, struct position position,
                                                      const unsigned char *client_id),
                                        void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_TOMBSTONES, member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":deleted_at", after.synced_at_ms);
    database_bind_integer(list, ":id", after.id);
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        struct position position = {database_read_integer(list, "deleted_at"),
                                    database_read_integer(list, "id")};
        visit(context, position, database_read_blob(list, "client_id"));
    }
    return result;
}

/* -- Leftovers --------------------------------------------------------------------------------- */

static struct statement *about(struct store *store, enum statement_name name, int64_t member_id,
                               int64_t id)
{
    struct statement *statement = store_member_statement(store, name, member_id);
    database_bind_integer(statement, ":qso_id", id);
    return statement;
}

/* A text of the row, in the arena; no text: there is no row. */
static enum store_result find_text(struct store *store, struct statement *find, const char *name,
                                   struct arena *arena, struct text *out)
{
    enum store_result result = database_step(store->database, find);
    *out = result == STORE_DONE ? database_keep_text(find, name, arena) : (struct text){0};
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_LEFTOVERS, member_id);
    database_bind_integer(find, ":id", id);
    return find_text(store, find, "fields", arena, out);
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

static enum store_result insert(struct transaction *transaction, int64_t member_id, int64_t id,
                                struct text leftovers)
{
    struct store *store = transaction->store;
    const int64_t edit = transaction->edit.number;
    struct statement *insert = about(store, STATEMENT_INSERT_LEFTOVERS, member_id, id);
    database_bind_integer(insert, ":edit", edit);
    database_bind_blob(insert, ":fields", leftovers.bytes, leftovers.length);
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
    struct statement *inherit = about(store, STATEMENT_INSERT_INHERITED_LEFTOVERS, member_id, id);
    database_bind_integer(inherit, ":edit", transaction->edit.number);
    database_bind_integer(inherit, ":previous_edit", previous_edit);
    return database_run(store->database, inherit);
}

enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id)
{
    struct store *store = transaction->store;
    return database_run(store->database, about(store, STATEMENT_DELETE_LEFTOVERS, member_id, id));
}

/* -- Who made a QSO ---------------------------------------------------------------------------- */

enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_MAKER, member_id);
    database_bind_integer(find, ":qso_id", qso_id);
    return find_text(store, find, "operator", arena, out);
}

enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_MAKERS, member_id);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_integer(list, "qso_id"), database_read_text(list, "operator"));
    return result;
}

enum store_result qsos_note_maker(struct transaction *transaction, int64_t member_id,
                                  int64_t qso_id, struct text maker)
{
    struct store *store = transaction->store;
    if (maker.length == 0)
        return STORE_DONE;
    struct statement *insert = store_member_statement(store, STATEMENT_INSERT_MAKER, member_id);
    database_bind_integer(insert, ":qso_id", qso_id);
    database_bind_text(insert, ":operator", maker);
    return database_run(store->database, insert);
}

/* -- Of a log whose QSOs are gone -------------------------------------------------------------- */

enum store_result qsos_remove_beside(struct transaction *transaction, int64_t member_id,
                                     int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    bool last_maker = false;
    enum store_result result =
        remove_some(store, STATEMENT_DELETE_MEMBER_LEFTOVERS, member_id, limit, last);
    if (result == STORE_DONE)
        result = remove_some(store, STATEMENT_DELETE_MAKERS, member_id, limit, &last_maker);
    *last = *last && last_maker;
    return result;
}
