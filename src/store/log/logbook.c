/* Provides the whole logbook to programs that do not use SQL: opens and closes the logbook, reads
 * snapshots, and maintains the file. Most functions make a function of src/database available to
 * programs. The program for the DX cluster opens a logbook only to follow it (OPEN_TO_FOLLOW), with
 * less memory than workers use. */
#include "store/log/logbook.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "database/checkpoint.h"
#include "database/database.h"
#include "database/transaction.h"
#include "store/log/edits.h"
#include "store/log/tombstones.h"
#include "store/storage.h"
#include "store/store.h"

enum store_result store_open(const char *path, enum opening opening, struct store **out)
{
    struct database *database;
    enum store_result result = database_open(path, opening, &database);
    if (result != STORE_DONE)
        return result;
    struct store *store = memory_allocate(sizeof *store);
    *store = (struct store){.database = database,
                            .rejection_counts = SHARED_FILE_CLOSED,
                            .tombstone_days = TOMBSTONE_DAYS_DEFAULT,
                            .history_days = HISTORY_DAYS_DEFAULT,
                            .history_states = HISTORY_STATES_DEFAULT,
                            .storage_max = STORAGE_MIB_DEFAULT << 20,
                            .columns = {.database = database}};
    result = columns_add_function(&store->columns);
    if (result == STORE_DONE)
        *out = store;
    else
        store_close(store);
    return result;
}

enum store_result store_prepare(struct store *store)
{
    enum store_result result = database_prepare(store->database);
    return THEN(result, columns_find_all(&store->columns));
}

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
    store->database->write_wait_ms = wait_ms;
    sqlite3_busy_timeout(store->database->handle, (int)wait_ms);
}

bool store_is_current(const struct store *store, const char *path)
{
    return strcmp(store->database->path, path) == 0 && database_is_current(store->database);
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
    store_run(store, STATEMENT_COMMIT);
}

int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms)
{
    return transaction_server_time(store->database, now_ms, last_stamp_ms);
}

/* Returns the logbook's data version. Returns 0, which SQLite never returns, if the version cannot
 * be read. */
static int64_t read_data_version(const struct store *store)
{
    int64_t version = 0;
    store_find_integer(store, "data_version", &version, STATEMENT_READ_DATA_VERSION);
    return version;
}

void store_record_commits(struct store *store)
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
