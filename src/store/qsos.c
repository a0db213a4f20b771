/* QSOs: found by their clientId, deleted, and listed in the order of their changes, by which
 * clients synchronise. A deletion leaves a tombstone for clients and the content for the history,
 * which are left to deletions.c and history.c. Saving is save.c. */
#include "store/qsos.h"

#include "base/uuid.h"
#include "store/claims.h"
#include "store/partners.h"
#include "store/deletions.h"
#include "store/history.h"
#include "store/store.h"

enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_QSOS, member_id);
    database_bind_integer(list, ":synced_at", after.synced_at_ms);
    database_bind_integer(list, ":id", after.id);
    database_bind_integer(list, ":limit", limit);
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_list_qsos_by_id(struct store *store, int64_t member_id, int64_t after,
                                        int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_QSOS_BY_ID, member_id);
    database_bind_integer(list, ":id", after);
    database_bind_integer(list, ":limit", limit);
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_skip_qsos(struct store *store, int64_t member_id, int64_t count,
                                  struct position *position)
{
    struct statement *skip = store_member_statement(store, STATEMENT_SKIP_QSOS, member_id);
    database_bind_integer(skip, ":synced_at", position->synced_at_ms);
    database_bind_integer(skip, ":id", position->id);
    database_bind_integer(skip, ":before_last", count - 1);
    struct position last = *position;
    enum store_result result = database_step(store->database, skip);
    if (result == STORE_DONE) {
        last.synced_at_ms = database_read_integer(skip, "synced_at");
        last.id = database_read_integer(skip, "id");
        result = database_step(store->database, skip);
    }
    if (result == STORE_DONE)
        *position = last;
    sqlite3_reset(skip->handle);
    return result;
}

enum store_result store_count_qsos(struct store *store, int64_t member_id, int64_t *count)
{
    struct statement *read = store_member_statement(store, STATEMENT_COUNT_MEMBER_QSOS, member_id);
    return database_find_integer(store->database, read, "qsos", count);
}

enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_IDS, member_id);
    const int id = database_find_column(list, "id"),
              client_id = database_find_column(list, "client_id");
    enum store_result result = STORE_DONE;
    bool goes_on = true;
    while (goes_on && database_next(store->database, list, &result))
        goes_on = visit(context, sqlite3_column_int64(list->handle, id),
                        sqlite3_column_blob(list->handle, client_id));
    sqlite3_reset(list->handle);
    return result;
}

enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[UUID_BYTES], struct arena *arena,
                                 struct qso *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_QSO);
    database_bind_blob(find, ":client_id", client_id, UUID_BYTES);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    if (database_read_integer(find, "member_id") == member_id) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    } else {
        result = STORE_CONFLICT;
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_nameless_qso(struct store *store, int64_t member_id, int64_t id,
                                          int64_t created_at_ms, struct arena *arena,
                                          struct qso *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_NAMELESS_QSO);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    if (database_read_integer(find, "member_id") == member_id &&
        database_read_integer(find, "created_at") == created_at_ms) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    } else {
        result = STORE_NONE;
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    if (transaction->revised_member_id == member_id)
        return STORE_DONE;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_LOG_REVISION);
    database_bind_integer(update, ":id", member_id);
    database_bind_integer(update, ":log_revision", transaction->stamp_ms);
    enum store_result result = database_run(store->database, update);
    if (result == STORE_DONE)
        transaction->revised_member_id = member_id;
    return result;
}

enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_NEXT_QSO, member_id);
    database_bind_integer(find, ":before", before_ms);
    database_bind_integer(find, ":synced_at", position->synced_at_ms);
    database_bind_integer(find, ":id", position->id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *position = (struct position){database_read_integer(find, "synced_at"),
                                  database_read_integer(find, "id")};
    *confirmed_by = database_read_integer(find, "confirmed_by");
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result qsos_delete(struct transaction *transaction, int64_t id, int64_t confirmed_by)
{
    struct store *store = transaction->store;
    int64_t claim;
    enum store_result result = claims_release(transaction, id, &claim);
    if (result == STORE_DONE && confirmed_by)
        result = confirmations_end(transaction, id, confirmed_by);
    if (result == STORE_DONE) {
        struct statement *remove = database_statement(store->database, STATEMENT_DELETE_QSO);
        database_bind_integer(remove, ":id", id);
        result = database_run(store->database, remove);
    }
    if (result == STORE_DONE && confirmed_by)
        result = confirmations_pair_again(transaction, confirmed_by);
    return result == STORE_DONE ? claims_offer(transaction, claim) : result;
}

/* A tombstone for clients, and the history. */
static enum store_result delete_known(struct transaction *transaction,
                                      const struct identity *member, const struct qso *qso,
                                      int64_t edit, int64_t confirmed_by)
{
    const int64_t id = qso->values[FIELD_ID].integer;
    struct history_change change = {
        .qso_id = id, .previous_edit = edit, .former = qso, .extent = STATE_WHOLE};
    enum store_result result = history_begin_deletion(transaction, member, edit);
    if (result == STORE_DONE)
        result = history_note(transaction, &change);
    if (result == STORE_DONE)
        result = history_note_gone(transaction, qso, transaction->edit.number);
    if (result == STORE_DONE)
        result = deletions_add(transaction, id);
    if (result == STORE_DONE)
        result = qsos_delete(transaction, id, confirmed_by);
    if (result == STORE_DONE && !transaction->edit.act)
        result = leftovers_forget(transaction, member->member_id, id);
    if (result == STORE_DONE)
        result = qsos_revise_log(transaction, member->member_id);
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

/* The statement stands on the row. */
static enum store_result delete_found(struct transaction *transaction,
                                      const struct identity *member, struct statement *find)
{
    struct qso qso;
    columns_read_qso(&transaction->store->columns, find, &qso);
    enum store_result result =
        delete_known(transaction, member, &qso, database_read_integer(find, "edit"),
                     database_read_integer(find, "confirmed_by"));
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_delete_qso(struct transaction *transaction, const struct identity *member,
                                   const unsigned char client_id[UUID_BYTES])
{
    struct store *store = transaction->store;
    struct statement *find = database_statement(store->database, STATEMENT_FIND_QSO);
    database_bind_blob(find, ":client_id", client_id, UUID_BYTES);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    if (database_read_integer(find, "member_id") == member->member_id)
        return delete_found(transaction, member, find);
    sqlite3_reset(find->handle);
    return STORE_NONE;
}

enum store_result qsos_delete_own(struct transaction *transaction, const struct identity *member,
                                  int64_t id)
{
    struct store *store = transaction->store;
    struct statement *find =
        store_member_statement(store, STATEMENT_FIND_OWN_QSO, member->member_id);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    return result == STORE_DONE ? delete_found(transaction, member, find) : result;
}
