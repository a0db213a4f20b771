/* Keeps what each key was refused last: the code, the field and how many entries, for its owner to
 * see on the profile page. A busy logbook is not waited for. How often each code occurs is counted
 * in rejection_counts.c. */
#include "store/refusals.h"

#include "store/store.h"
#include "store/transaction.h"

void store_note_key_refusal(struct store *store, int64_t key_number, const struct refusal *refusal)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *write = database_statement(store->database, STATEMENT_WRITE_KEY_REFUSAL);
    database_bind_integer(write, ":key_id", key_number);
    database_bind_integer(write, ":refused_at", refusal->refused_at_ms);
    database_bind_text(write, ":code", refusal->code);
    database_bind_text(write, ":field", refusal->field);
    database_bind_integer(write, ":entries", refusal->entries);
    store_finish(&transaction, database_run(store->database, write));
}

enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_KEY_REFUSAL);
    database_bind_integer(find, ":key_id", key_number);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = (struct refusal){
        .refused_at_ms = database_read_integer(find, "refused_at"),
        .code = database_keep_text(find, "code", arena),
        .field = database_keep_text(find, "field", arena),
        .entries = database_read_integer(find, "entries"),
    };
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ALL_KEY_REFUSALS);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        struct refusal refusal = {
            .refused_at_ms = database_read_integer(list, "refused_at"),
            .code = database_read_text(list, "code"),
            .field = database_read_text(list, "field"),
            .entries = database_read_integer(list, "entries"),
        };
        visit(context, database_read_text(list, "callsign"), database_read_text(list, "name"),
              &refusal);
    }
    return result;
}
