/* Reads how much is stored for members in addition to their QSOs. Triggers in the schema count the
 * bytes (schema/schema.sql, "storage"), so that every statement that writes is counted. log/room.c
 * removes data to make room. */
#include "store/storage.h"

#include "store/store.h"

int64_t storage_sum(const struct storage *storage)
{
    return storage->history + storage->leftovers + storage->polo + storage->cards + storage->known;
}

void store_set_storage(struct store *store, int64_t bytes)
{
    store->storage_max = bytes;
}

int64_t store_storage_max(const struct store *store)
{
    return store->storage_max;
}

static const struct read_column storage_columns[] =
    COLUMNS(COLUMN(storage, history, "history"), COLUMN(storage, leftovers, "leftovers"),
            COLUMN(storage, polo, "polo"), COLUMN(storage, cards, "cards"),
            COLUMN(storage, known, "known"));
ROW_READER(storage_columns, STATEMENT_LIST_ALL_STORAGE);

enum store_result store_read_storage(struct store *store, int64_t member_id, struct storage *out)
{
    return store_find(store, storage_columns, NULL, out, STATEMENT_READ_STORAGE,
                      BIND("member_id", member_id));
}

enum store_result store_list_storage(struct store *store, int64_t limit, storage_visitor *visit,
                                     void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_ALL_STORAGE, BIND("limit", limit));
    enum store_result result = STORE_DONE;
    struct storage storage;
    while (database_next_row(store->database, list, storage_columns, &storage, &result))
        visit(context, database_read_text(list, "callsign"), &storage);
    return result;
}
