/* Whether the upload door is open. Its tokens are in keys.c. */
#include "store/database.h"

enum store_result store_read_uploads(struct store *store, bool *on)
{
    struct statement *read = database_statement(store, STATEMENT_READ_UPLOADS);
    enum store_result result = database_step(store, read);
    if (result != STORE_DONE)
        return result;
    *on = database_read_integer(read, "uploads") != 0;
    sqlite3_reset(read->handle);
    return STORE_DONE;
}

enum store_result store_set_uploads(struct store *store, bool on)
{
    int64_t stamp_ms;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store, STATEMENT_UPDATE_UPLOADS);
    database_bind_integer(update, ":uploads", on);
    database_bind_integer(update, ":uploads_set_at", stamp_ms);
    return store_finish(store, database_run(store, update));
}
