/* Opens the database: the file, its settings, its schema, the writer lock, every statement.
 * Whatever is wrong with one of them is logged, and nothing is opened. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "store/checkpoint.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/literal_path.h"
#include "store/log_views.h"
#include "store/logins.h"
#include "store/migrations.h"
#include "store/progress.h"
#include "store/tombstones.h"

#define WRITE_WAIT_DEFAULT_MS 10000

/* FULL syncs the log at each commit. A page cache of 4 MiB is plenty beside the mapped file. */
static const char *const pragmas[] = {
    "PRAGMA foreign_keys = ON",    "PRAGMA trusted_schema = OFF", "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -4096",   CHECKPOINT_MAP_FILE,           "PRAGMA temp_store = MEMORY",
    "PRAGMA cell_size_check = ON",
};

static enum store_result note_identity(struct store *store)
{
    struct stat status;
    if (stat(store->path, &status) != 0) {
        log_line("%s: cannot look at the logbook: %s", store->path, strerror(errno));
        return STORE_BROKEN;
    }
    store->device = status.st_dev;
    store->inode = status.st_ino;
    return STORE_DONE;
}

static int open_as(struct store *store, enum store_opening opening)
{
    int flags = SQLITE_OPEN_READWRITE;
    if (opening == STORE_FOLLOW_SPOTS)
        flags = SQLITE_OPEN_READONLY;
    if (opening == STORE_OPEN_READ_ONLY)
        return read_only_open(store->path, &store->database, &store->file);
    if (opening == STORE_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    return literal_path_open(store->path, flags, &store->database);
}

/* Where each request has a process of its own, each would make the log and its index, and remove
 * them. Instead both stay, and the log is emptied when it was moved into the database. */
static enum store_result keep_log(struct store *store)
{
    int on = 1;
    int code = sqlite3_file_control(store->database, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
    return code == SQLITE_OK ? database_execute(store, "PRAGMA journal_size_limit = 0")
                             : database_failure(store, code, "keep its log");
}

static enum store_result open_file(struct store *store, enum store_opening opening)
{
    char name[PATH_MAX];
    if (literal_path_is_blocked(store->path, name)) {
        log_line("%s is not an ordinary file", name);
        return STORE_BROKEN;
    }
    bool exists = access(store->path, F_OK) == 0;
    if (!exists && opening != STORE_CREATE && errno == ENOENT)
        return STORE_NONE;
    int code = open_as(store, opening);
    if (code != SQLITE_OK)
        return database_failure(store, code, "open it");
    sqlite3_extended_result_codes(store->database, 1);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_timeout(store->database, (int)store->write_wait_ms);
    checkpoint_watch_log(store);
    progress_watch(store->database);
    if (opening == STORE_OPEN_BRIEFLY && keep_log(store) != STORE_DONE)
        return STORE_BROKEN;
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        enum store_result result = database_execute(store, pragmas[i]);
        if (result != STORE_DONE)
            return result;
    }
    return note_identity(store);
}

/* Schema, what statements need beside it, and writer lock. A file that is only read needs no lock:
 * nothing waits for its readers. */
static enum store_result make_ready(struct store *store, enum store_opening opening)
{
    enum store_result result = store->read_only ? migrations_run_on_copy(store)
                                                : migrations_run(store, opening == STORE_CREATE);
    if (result == STORE_DONE)
        result = log_views_add_function(store);
    if (result == STORE_DONE && !store->read_only &&
        !writer_lock_open(&store->writer_lock, store->path)) {
        log_line("%s-gate: cannot open the writer lock: %s", store->path, strerror(errno));
        result = STORE_BROKEN;
    }
    return result;
}

/* Settings for a program that has a process for each of its clients. */
static enum store_result make_ready_to_follow(struct store *store)
{
    static const enum statement_name needed[] = {STATEMENT_LIST_SPOTS, STATEMENT_LIST_SPOTS_AFTER};
    enum store_result result = database_execute(store, "PRAGMA mmap_size = 0");
    if (result == STORE_DONE)
        result = database_execute(store, "PRAGMA cache_size = -32");
    if (result == STORE_DONE)
        result = migrations_check(store);
    for (size_t i = 0; i < sizeof needed / sizeof *needed && result == STORE_DONE; i++)
        result = database_prepare_one(store, needed[i]);
    return result;
}

enum store_result store_open(const char *path, enum store_opening opening, struct store **out)
{
    /* These count only before the first use. Our programs have one thread and no use for SQLite's
     * memory statistics; the small rollback notes of a savepoint stay in memory instead of a file.
     */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
    /* Memory for twenty pages in advance is more than a single request reads into memory. */
    if (opening == STORE_OPEN_BRIEFLY)
        sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);

    struct store *store = memory_allocate(sizeof *store);
    memset(store, 0, sizeof *store);
    store->writer_lock.shared = SHARED_FILE_CLOSED;
    store->rejection_counts = SHARED_FILE_CLOSED;
    store->write_wait_ms = WRITE_WAIT_DEFAULT_MS;
    store->tombstone_days = TOMBSTONE_DAYS_DEFAULT;
    store->examine = columns_find;
    store->path = memory_allocate(strlen(path) + 1);
    strcpy(store->path, path);
    store->read_only = opening == STORE_OPEN_READ_ONLY || opening == STORE_FOLLOW_SPOTS;

    enum store_result result = open_file(store, opening);
    if (result == STORE_DONE && opening == STORE_FOLLOW_SPOTS) {
        result = make_ready_to_follow(store);
    } else if (result == STORE_DONE) {
        result = make_ready(store, opening);
        if (result == STORE_DONE && opening != STORE_OPEN_BRIEFLY)
            result = database_prepare(store);
    }
    if (result != STORE_DONE) {
        store_close(store);
        return result;
    }
    database_settle(store);
    /* A failure is no reason to serve nobody: whoever writes the file next tries again. */
    if (store->brought_forward && !store->read_only)
        logins_take_over_once(store);
    *out = store;
    return STORE_DONE;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    /* See store_checkpoint. */
    if (store->writer_lock.page && writer_lock_is_in_flight(&store->writer_lock))
        sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    database_finalize(store);
    read_only_close(store->database, &store->file);
    writer_lock_close(&store->writer_lock);
    shared_file_close(&store->rejection_counts);
    free(store->path);
    free(store);
}

bool store_was_brought_forward(const struct store *store)
{
    return store->brought_forward;
}

void store_set_write_wait(struct store *store, int64_t wait_ms)
{
    store->write_wait_ms = wait_ms;
    sqlite3_busy_timeout(store->database, (int)wait_ms);
}

bool store_is_current(const struct store *store)
{
    struct stat status;
    return stat(store->path, &status) == 0 && status.st_dev == store->device &&
           status.st_ino == store->inode;
}
