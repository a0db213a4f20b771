/* Whether uploads are on, which the operator decides for the whole logbook. The stamp of that
 * decision is kept, because a restore lets the later one count. Upload tokens are kept in keys.c.
 */
#include "store/logbook.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_read_uploads(struct store *store, bool *on)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_UPLOADS);
    enum store_result result = database_step(store->database, read);
    if (result != STORE_DONE)
        return result;
    *on = database_read_integer(read, "uploads") != 0;
    sqlite3_reset(read->handle);
    return STORE_DONE;
}

enum store_result store_set_uploads(struct store *store, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_UPLOADS);
    database_bind_integer(update, ":uploads", on);
    database_bind_integer(update, ":uploads_set_at", transaction.stamp_ms);
    result = database_run(store->database, update);
    if (result == STORE_DONE)
        result = operator_log_note(&transaction, on ? "uploads on" : "uploads off",
                                   (struct text){0}, (struct text){0});
    return store_finish(&transaction, result);
}
