/* The logbook as a whole, for programs that know no SQL: closing, snapshots, care. Each function
 * passes on what src/database does for its readers and writers. Opening is in open.c and follow.c,
 * because these two link different parts. */
#include "store/logbook.h"

#include <stdlib.h>

#include "database/checkpoint.h"
#include "database/copy.h"
#include "database/transaction.h"
#include "store/store.h"

void store_close(struct store *store)
{
    if (!store)
        return;
    database_close(store->database);
    shared_file_close(&store->rejection_counts);
    buffer_free(&store->state);
    free(store);
}

bool store_was_brought_forward(const struct store *store)
{
    return store->database->brought_forward;
}

bool store_has_found_damage(void)
{
    return database_has_found_damage();
}

void store_set_write_wait(struct store *store, int64_t wait_ms)
{
    database_set_write_wait(store->database, wait_ms);
}

bool store_is_current(const struct store *store)
{
    return database_is_current(store->database);
}

void store_checkpoint(struct store *store)
{
    if (store)
        checkpoint_run(store->database);
}

enum store_result store_begin_read(struct store *store, int64_t *now_ms)
{
    return transaction_begin_read(store->database, now_ms);
}

void store_end_read(struct store *store)
{
    transaction_end_read(store->database);
}

int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms,
                          int64_t restored_ms)
{
    return transaction_server_time(store->database, now_ms, last_stamp_ms, restored_ms);
}

/* 0, which SQLite never counts to, if it cannot be read. */
static int64_t read_data_version(const struct store *store)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_DATA_VERSION);
    int64_t version = database_step(store->database, read) == STORE_DONE
                          ? database_read_integer(read, "data_version")
                          : 0;
    sqlite3_reset(read->handle);
    return version;
}

void store_note_commits(struct store *store)
{
    store->data_version = read_data_version(store);
}

bool store_has_commits(const struct store *store)
{
    return store->data_version == 0 || read_data_version(store) != store->data_version;
}

void store_show_progress(void (*show)(const char *phase, int64_t done, int64_t total))
{
    progress_show(show);
}
