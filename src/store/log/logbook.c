/* The logbook as a whole, for programs without SQL: closing, snapshots, care. Each function offers
 * a function of src/database to its readers and writers. The program of the DX cluster opens less
 * of it than workers do. */
#include "store/log/logbook.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/progress.h"
#include "database/checkpoint.h"
#include "database/database.h"
#include "database/transaction.h"
#include "qso/fields.h"
#include "store/log/edits.h"
#include "store/log/tombstones.h"
#include "store/storage.h"
#include "store/store.h"
#include "store/transaction.h"

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

/* 0, which SQLite never counts to, if it cannot be read. */
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

/* -- Opening ----------------------------------------------------------------------------------- */

/* Opens a logbook whole: members, QSOs, keys, spots, the counters of rejections. For the workers
 * and the operator's command. */

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
    *out = store;
    return STORE_DONE;
}

enum store_result store_prepare(struct store *store)
{
    enum store_result result = database_prepare(store->database);
    return THEN(result, columns_find_all(&store->columns));
}

/* -- Numbers that status, metrics and the doctor show ------------------------------------------ */

/* Rows are counted for them, so no request asks for them; the few of the front page it asks for
 * once a minute. */

static int64_t file_bytes(const char *path, const char *suffix)
{
    char name[PATH_MAX];
    struct stat status;
    bool found = folder_path_beside(path, suffix, name) && stat(name, &status) == 0;
    return found ? (int64_t)status.st_size : 0;
}

enum store_result store_probe(struct store *store)
{
    static const enum statement_name probes[] = {STATEMENT_PROBE_QSOS, STATEMENT_PROBE_LOG};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof probes / sizeof *probes && result == STORE_DONE; i++) {
        struct statement *probe = database_statement(store->database, probes[i]);
        while (database_next(store->database, probe, &result))
            continue;
    }
    return result;
}

enum store_result store_read_counts(struct store *store, struct logbook_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(logbook_counts, members, "members"), COLUMN(logbook_counts, qsos, "qsos"));
    return store_find(store, columns, NULL, out, STATEMENT_READ_COUNTS);
}

enum store_result store_read_status(struct store *store, struct logbook_status *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(logbook_status, schema_version, "user_version"),
        COLUMN(logbook_status, storage.history, "history"),
        COLUMN(logbook_status, storage.leftovers, "leftovers"),
        COLUMN(logbook_status, storage.polo, "polo"),
        COLUMN(logbook_status, storage.cards, "cards"),
        COLUMN(logbook_status, storage.known, "known"), COLUMN(logbook_status, members, "members"),
        COLUMN(logbook_status, active_members, "active_members"),
        COLUMN(logbook_status, stations, "stations"),
        COLUMN(logbook_status, operators, "operators"),
        COLUMN(logbook_status, members_outside, "members_outside"),
        COLUMN(logbook_status, sessions, "sessions"),
        COLUMN(logbook_status, active_keys, "active_keys"), COLUMN(logbook_status, qsos, "qsos"),
        COLUMN(logbook_status, spots, "spots"), COLUMN(logbook_status, tombstones, "tombstones"),
        COLUMN(logbook_status, former_states, "former_states"),
        COLUMN(logbook_status, passwords, "passwords"),
        COLUMN(logbook_status, active_tokens, "active_tokens"),
        COLUMN(logbook_status, uploads, "uploads"),
        COLUMN(logbook_status, last_write_ms, "last_stamp"),
        COLUMN(logbook_status, log_epoch, "log_epoch"));
    const char *path = store->database->path;
    *out = (struct logbook_status){.database_bytes = file_bytes(path, ""),
                                   .log_bytes = file_bytes(path, "-wal")};
    enum store_result result = store_find(store, columns, NULL, out, STATEMENT_READ_STATUS);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

/* -- Whether uploads are on -------------------------------------------------------------------- */

/* The operator decides it for the whole logbook. The stamp of that decision is kept, because a
 * restore lets the later one count. */

enum store_result store_read_uploads(struct store *store, bool *on)
{
    int64_t uploads = 0;
    enum store_result result =
        store_find_integer(store, "uploads", &uploads, STATEMENT_READ_UPLOADS);
    if (result == STORE_DONE)
        *on = uploads != 0;
    return result;
}

enum store_result store_set_uploads(struct store *store, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_UPDATE_UPLOADS, BIND("uploads", on),
                           BIND("uploads_set_at", transaction.stamp_ms)));
    THEN(result, operator_log_note(&transaction, on ? "uploads on" : "uploads off",
                                   (struct text){0}, (struct text){0}));
    return store_finish(&transaction, result);
}

/* -- How often entries are rejected ------------------------------------------------------------ */

/* Each code is counted in a file next to the logbook that all workers map, so counting takes no
 * lock and no transaction. The file is created when the first entry is rejected, and never grows.
 * After a power cut it may be some seconds old. */

#define SUFFIX "-rejections"
#define LAYOUT 0x716a6374636e7431ULL /* the first number of a page laid out as below */
#define CODES_MAX 31
#define OTHER 0 /* the counter of all rejections by a sentence */

/* The number of a code's counter is one after its row in the table of rejections, to which rows are
 * only added. */
struct rejection_page {
    _Atomic uint64_t layout;
    _Atomic uint64_t counts[CODES_MAX + 1];
};

static size_t find_counter(const struct rejection *rejection)
{
    for (size_t i = 0; i < CODES_MAX && rejections[i]; i++)
        if (rejections[i]->code == rejection->code)
            return i + 1;
    return OTHER;
}

static struct rejection_page *open_page(struct store *store)
{
    struct shared_file *shared = &store->rejection_counts;
    if (shared->map)
        return shared->map;
    if (!shared_file_open(shared, store->database->path, SUFFIX))
        return NULL;
    if (!shared_file_map(shared, sizeof(struct rejection_page)))
        shared_file_close(shared);
    struct rejection_page *page = shared->map;
    if (page)
        atomic_store(&page->layout, LAYOUT);
    return page;
}

void store_count_rejection(struct store *store, const struct rejection *rejection)
{
    struct rejection_page *page = open_page(store);
    if (page)
        atomic_fetch_add(&page->counts[find_counter(rejection)], 1);
}

void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context)
{
    struct rejection_page page;
    if (!shared_file_read(store->database->path, SUFFIX, &page, sizeof page) ||
        page.layout != LAYOUT)
        memset(&page, 0, sizeof page);
    for (size_t i = 0; i < CODES_MAX && rejections[i]; i++)
        visit(context, rejections[i]->code, (int64_t)page.counts[i + 1]);
    visit(context, NULL, (int64_t)page.counts[OTHER]);
}
