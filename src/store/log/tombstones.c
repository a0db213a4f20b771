/* Stores and removes tombstones. A tombstone is written together with the deletion, and has the
 * deletion's stamp. Therefore the rule for the stamps of QSOs (database/writer_lock.c) also applies
 * to tombstones: no download misses a tombstone. */
#include "store/log/tombstones.h"

#include "base/datetime.h"
#include "base/uuid.h"
#include "store/ageing.h"
#include "store/store.h"

/* Each deletion removes at most this number of old tombstones. The limit is more than one, so that
 * the number of old tombstones decreases. */
#define REMOVED_AT_ONCE 2

void store_set_tombstone_days(struct store *store, int64_t days)
{
    store->tombstone_days = days;
}

enum store_result tombstones_add(struct transaction *transaction, int64_t id)
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

enum store_result tombstones_remove(struct transaction *transaction, int64_t member_id,
                                    const struct qso *qso)
{
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    if (client_id->state == VALUE_PRESENT)
        return store_run(transaction->store, STATEMENT_DELETE_TOMBSTONE,
                         BIND("member_id", member_id),
                         BIND_BLOB("client_id", client_id->text, UUID_BYTES));
    return store_run(transaction->store, STATEMENT_DELETE_TOMBSTONE_WITHOUT_CLIENT_ID,
                     BIND("member_id", member_id), BIND("id", qso->values[FIELD_ID].integer));
}
