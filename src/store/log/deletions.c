/* Keeps the data that accompanies a log's QSOs: tombstones, leftovers, and the creator of a
 * station's QSO. A tombstone is written with the deletion, under its stamp. The rule for the stamps
 * of QSOs (writer_lock.c) therefore applies: no download misses a tombstone. It is removed when its
 * clientId is used again, because the client then gets the QSO itself, or when it is old enough.
 * src/adif interprets leftovers. */
#include "store/log/deletions.h"

#include "base/datetime.h"
#include "store/store.h"

/* How many old tombstones each deletion removes. More than one, so that the backlog shrinks. */
#define REMOVED_AT_ONCE 2

void store_set_tombstone_days(struct store *store, int64_t days)
{
    store->tombstone_days = days;
}

enum store_result deletions_add(struct transaction *transaction, int64_t id)
{
    struct store *store = transaction->store;
    const int64_t until_ms = store_old_before(transaction, store->tombstone_days * DATETIME_DAY_MS);
    enum store_result result = store_run(store, STATEMENT_INSERT_TOMBSTONE, BIND("id", id),
                                         BIND("deleted_at", transaction->stamp_ms));
    THEN(result,
         store_change(store, STATEMENT_RAISE_DELETIONS_SINCE, BIND("deletions_since", until_ms)));
    THEN(result, store_run(store, STATEMENT_DELETE_OLD_TOMBSTONES, BIND("deleted_at", until_ms),
                           BIND("limit", REMOVED_AT_ONCE)));
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms)
{
    const int64_t kept_ms = now_ms - store->tombstone_days * DATETIME_DAY_MS;
    enum store_result result =
        store_find_integer(store, "deletions_since", since_ms, STATEMENT_FIND_DELETIONS_SINCE,
                           BIND("member_id", member_id));
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
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(
        store, STATEMENT_LIST_TOMBSTONES, BIND("member_id", member_id),
        BIND("deleted_at", after.synced_at_ms), BIND("id", after.id), BIND("limit", limit));
    while (database_next(store->database, list, &result)) {
        struct position position = {database_read_integer(list, "deleted_at"),
                                    database_read_integer(list, "id")};
        visit(context, position, database_read_blob(list, "client_id"));
    }
    return result;
}

/* -- Leftovers --------------------------------------------------------------------------------- */

struct one_text {
    struct text text;
};

/* No row: no text. */
static enum store_result keep_text(enum store_result result, const struct one_text *found,
                                   struct text *out)
{
    *out = found->text;
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out)
{
    static const struct read_column columns[] = COLUMNS(COLUMN(one_text, text, "fields"));
    struct one_text found = {0};
    enum store_result result = store_find(store, columns, arena, &found, STATEMENT_FIND_LEFTOVERS,
                                          BIND("member_id", member_id), BIND("id", id));
    return keep_text(result, &found, out);
}

enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out)
{
    return store_has(store, out, STATEMENT_FIND_ANY_LEFTOVERS, BIND("member_id", member_id));
}

enum store_result store_list_leftovers(
    struct store *store, int64_t member_id, int64_t limit, struct leftovers_position *position,
    void (*visit)(void *context, const struct leftovers_position *position, struct text fields),
    void *context, bool *last)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(leftovers_position, qso_id, "qso_id"), COLUMN(leftovers_position, edit, "edit"));
    ROW_READER(columns, STATEMENT_LIST_LEFTOVERS);
    struct statement *list = store_with(
        store, STATEMENT_LIST_LEFTOVERS, BIND("member_id", member_id),
        BIND("qso_id", position->qso_id), BIND("edit", position->edit), BIND("limit", limit));
    enum store_result result = STORE_DONE;
    int64_t count = 0;
    for (; database_next_row(store->database, list, columns, position, &result); count++)
        visit(context, position, database_read_text(list, "fields"));
    *last = count < limit;
    return result;
}

enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers)
{
    struct store *store = transaction->store;
    const int64_t edit = transaction->edit.number;
    if (leftovers.length == 0)
        return store_run(store, STATEMENT_INSERT_INHERITED_LEFTOVERS, BIND("member_id", member_id),
                         BIND("qso_id", id), BIND("edit", edit),
                         BIND("previous_edit", previous_edit));
    enum store_result result = store_run(
        store, STATEMENT_INSERT_LEFTOVERS, BIND("member_id", member_id), BIND("qso_id", id),
        BIND("edit", edit), BIND_BLOB("fields", leftovers.bytes, leftovers.length));
    if (!transaction->edit.act)
        THEN(result,
             store_run(store, STATEMENT_DELETE_FORMER_LEFTOVERS, BIND("member_id", member_id),
                       BIND("qso_id", id), BIND("edit", edit)));
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id)
{
    return store_run(transaction->store, STATEMENT_DELETE_LEFTOVERS, BIND("member_id", member_id),
                     BIND("qso_id", id));
}

/* -- Creators of QSOs -------------------------------------------------------------------------- */

enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out)
{
    static const struct read_column columns[] = COLUMNS(COLUMN(one_text, text, "operator"));
    struct one_text found = {0};
    enum store_result result = store_find(store, columns, arena, &found, STATEMENT_FIND_MAKER,
                                          BIND("member_id", member_id), BIND("qso_id", qso_id));
    return keep_text(result, &found, out);
}

enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_MAKERS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_integer(list, "qso_id"), database_read_text(list, "operator"));
    return result;
}

enum store_result makers_note(struct transaction *transaction, int64_t member_id, int64_t qso_id,
                              struct text maker)
{
    if (maker.length == 0)
        return STORE_DONE;
    return store_run(transaction->store, STATEMENT_INSERT_MAKER, BIND("member_id", member_id),
                     BIND("qso_id", qso_id), BIND("operator", maker));
}

/* -- Of a log whose QSOs are gone -------------------------------------------------------------- */

enum store_result deletions_clean_up(struct transaction *transaction, int64_t member_id,
                                     bool with_tombstones, int64_t limit, bool *last)
{
    static const enum statement_name steps[] = {
        STATEMENT_DELETE_MEMBER_LEFTOVERS, STATEMENT_DELETE_MAKERS, STATEMENT_DELETE_MEMBER_KNOWN,
        STATEMENT_DELETE_MEMBER_PROGRAM_IDS, STATEMENT_DELETE_MEMBER_TOMBSTONES};
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *last = true;
    for (int i = 0; i < (with_tombstones ? 5 : 4); i++) {
        THEN(result,
             store_run(store, steps[i], BIND("member_id", member_id), BIND("limit", limit)));
        *last = *last && sqlite3_changes(store->database->handle) < limit;
    }
    return result;
}
