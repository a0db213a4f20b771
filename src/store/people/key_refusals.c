/* Stores the last refusal of each key, which the key's owner sees on the profile page. Recording a
 * refusal does not wait for other writers. log/rejection_counts.c counts how often each code
 * occurs. */
#include "store/people/key_refusals.h"

#include "store/store.h"
#include "store/transaction.h"

void store_record_key_refusal(struct store *store, int64_t key_number,
                              const struct refusal *refusal)
{
    struct transaction transaction;
    enum store_result result = store_try_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_WRITE_KEY_REFUSAL, BIND("key_id", key_number),
                           BIND("refused_at", refusal->refused_at_ms), BIND("code", refusal->code),
                           BIND("field", refusal->field), BIND("entries", refusal->entries)));
    store_finish(&transaction, result);
}

static const struct read_column refusal_columns[] =
    COLUMNS(COLUMN(refusal, refused_at_ms, "refused_at"), COLUMN(refusal, code, "code"),
            COLUMN(refusal, field, "field"), COLUMN(refusal, entries, "entries"));

enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out)
{
    return store_find(store, refusal_columns, arena, out, STATEMENT_FIND_KEY_REFUSAL,
                      BIND("key_id", key_number));
}

ROW_READER(refusal_columns, STATEMENT_LIST_ALL_KEY_REFUSALS);

enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context)
{
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_ALL_KEY_REFUSALS, BIND("limit", limit));
    struct refusal refusal;
    while (database_next_row(store->database, list, refusal_columns, &refusal, &result))
        visit(context, database_read_text(list, "callsign"), database_read_text(list, "name"),
              &refusal);
    return result;
}
