/* Opens the database and its gate, keeps the prepared statements, begins and ends transactions.
 *
 * A transaction that was committed is on the disk (WAL with synchronous=FULL). No statement of the
 * service's rules stands here: they are files under schema/statements. */
#include "store/database.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/bind.h"
#include "store/migrations.h"
#include "store/tidy.h"

#define WRITE_WAIT_DEFAULT_MS 10000

/* FULL syncs the log at each commit. A page cache of 4 MiB is plenty beside the mapped file. */
static const char *const pragmas[] = {
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -4096",
    TIDY_MAP_FILE,
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cell_size_check = ON",
};

enum store_result database_fault(struct store *store, int code, const char *doing)
{
    const char *reason = store->database ? sqlite3_errmsg(store->database) : sqlite3_errstr(code);
    if ((code & 0xff) == SQLITE_CONSTRAINT)
        return STORE_CONFLICT;
    log_line("%s: cannot %s: %s (SQLite code %d)", store->path, doing, reason,
             store->database ? sqlite3_extended_errcode(store->database) : code);
    return (code & 0xff) == SQLITE_BUSY ? STORE_BUSY : STORE_BROKEN;
}

enum store_result database_execute(struct store *store, const char *sql)
{
    int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STORE_DONE : database_fault(store, code, sql);
}

struct statement *database_statement(struct store *store, enum statement_name name)
{
    struct statement *statement = &store->statements[name];
    sqlite3_reset(statement->handle);
    return statement;
}

static int parameter_index(struct statement *statement, const char *name)
{
    int index = sqlite3_bind_parameter_index(statement->handle, name);
    assert(index > 0);
    return index;
}

void database_bind_integer(struct statement *statement, const char *name, int64_t value)
{
    sqlite3_bind_int64(statement->handle, parameter_index(statement, name), value);
}

void database_bind_text(struct statement *statement, const char *name, struct text text)
{
    sqlite3_bind_text(statement->handle, parameter_index(statement, name), text.bytes,
                      (int)text.length, SQLITE_STATIC);
}

void database_bind_blob(struct statement *statement, const char *name, const void *bytes,
                        size_t length)
{
    sqlite3_bind_blob(statement->handle, parameter_index(statement, name), bytes, (int)length,
                      SQLITE_STATIC);
}

struct text database_column_text(const struct statement *statement, int column)
{
    struct text text = {(const char *)sqlite3_column_text(statement->handle, column), 0};
    text.length = (size_t)sqlite3_column_bytes(statement->handle, column);
    return text;
}

enum store_result database_step(struct store *store, struct statement *statement)
{
    int code = sqlite3_step(statement->handle);
    if (code == SQLITE_ROW)
        return STORE_DONE;
    if (code == SQLITE_DONE)
        return STORE_NONE;
    enum store_result result =
        database_fault(store, code, embedded_statements[statement - store->statements].name);
    sqlite3_reset(statement->handle);
    return result;
}

enum store_result database_run(struct store *store, struct statement *statement)
{
    enum store_result result;
    do
        result = database_step(store, statement);
    while (result == STORE_DONE);
    sqlite3_reset(statement->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result prepare_statements(struct store *store)
{
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        int code =
            sqlite3_prepare_v3(store->database, embedded_statements[i].sql, -1,
                               SQLITE_PREPARE_PERSISTENT, &store->statements[i].handle, NULL);
        if (code != SQLITE_OK)
            return database_fault(store, code, embedded_statements[i].name);
        bind_prepare(&store->statements[i]);
    }
    return STORE_DONE;
}

/* A database that root makes belongs to whom its folder belongs to, so that the workers can write.
 */
static void give_to_folder_owner(const char *path)
{
    char folder[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(path, '/');
    if (geteuid() != 0 || !slash || (size_t)(slash - path) >= sizeof folder)
        return;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    if (stat(folder, &status) == 0 && chown(path, status.st_uid, status.st_gid) != 0)
        log_line("%s: cannot give it to the owner of its folder: %s", path, strerror(errno));
}

static enum store_result note_identity(struct store *store)
{
    struct stat status;
    if (stat(store->path, &status) != 0) {
        log_line("%s: %s", store->path, strerror(errno));
        return STORE_BROKEN;
    }
    store->device = status.st_dev;
    store->inode = status.st_ino;
    return STORE_DONE;
}

static enum store_result open_file(struct store *store, enum store_opening opening)
{
    bool exists = access(store->path, F_OK) == 0;
    if (!exists && opening == STORE_OPEN_EXISTING && errno == ENOENT)
        return STORE_NONE;
    int flags = SQLITE_OPEN_READWRITE;
    if (opening == STORE_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(store->path, &store->database, flags, NULL);
    if (code != SQLITE_OK)
        return database_fault(store, code, "open it");
    sqlite3_extended_result_codes(store->database, 1);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_timeout(store->database, (int)store->write_wait_ms);
    tidy_watch_log(store);
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        enum store_result result = database_execute(store, pragmas[i]);
        if (result != STORE_DONE)
            return result;
    }
    if (!exists)
        give_to_folder_owner(store->path);
    return note_identity(store);
}

enum store_result store_open(const char *path, enum store_opening opening, struct store **out)
{
    /* These count only before the first use. Our programs have one thread and no use for SQLite's
     * memory statistics; the small rollback notes of a savepoint stay in memory instead of a file.
     */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);

    struct store *store = memory_allocate(sizeof *store);
    memset(store, 0, sizeof *store);
    store->gate.file = -1;
    store->write_wait_ms = WRITE_WAIT_DEFAULT_MS;
    store->path = memory_allocate(strlen(path) + 1);
    strcpy(store->path, path);

    enum store_result result = open_file(store, opening);
    if (result == STORE_DONE)
        result = migrations_run(store, opening == STORE_CREATE);
    if (result == STORE_DONE && !write_gate_open(&store->gate, path)) {
        log_line("%s-gate: cannot open the write gate: %s", path, strerror(errno));
        result = STORE_BROKEN;
    }
    if (result == STORE_DONE)
        result = prepare_statements(store);
    if (result != STORE_DONE) {
        store_close(store);
        return result;
    }
    *out = store;
    return STORE_DONE;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statements[i].handle);
    sqlite3_close(store->database);
    write_gate_close(&store->gate);
    free(store->path);
    free(store);
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

enum store_result store_begin_read(struct store *store, int64_t *now_ms)
{
    *now_ms = write_gate_read_time(&store->gate, *now_ms);
    return database_run(store, database_statement(store, STATEMENT_BEGIN_READ));
}

void store_end_read(struct store *store)
{
    database_run(store, database_statement(store, STATEMENT_COMMIT));
}

/* A newer program may have brought the schema forward since this one opened it. */
static enum store_result check_version(struct store *store)
{
    struct statement *read = database_statement(store, STATEMENT_READ_SCHEMA_VERSION);
    enum store_result result = database_step(store, read);
    if (result != STORE_DONE)
        return STORE_BROKEN;
    int64_t version = sqlite3_column_int64(read->handle, 0);
    sqlite3_reset(read->handle);
    if (version == (int64_t)embedded_migration_count)
        return STORE_DONE;
    log_line("%s has schema version %lld now, which is not that of this program", store->path,
             (long long)version);
    store->inode = 0; /* no longer the one that was opened */
    return STORE_BROKEN;
}

/* SQLite has rolled back by itself after some faults; then there is nothing left to do. */
static void roll_back(struct store *store)
{
    if (!sqlite3_get_autocommit(store->database))
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
}

static enum store_result begin_stamped(struct store *store, int64_t *stamp_ms)
{
    enum store_result result =
        database_run(store, database_statement(store, STATEMENT_BEGIN_WRITE));
    if (result != STORE_DONE)
        return result;
    struct statement *last = database_statement(store, STATEMENT_READ_LAST_STAMP);
    result = check_version(store);
    if (result == STORE_DONE)
        result = database_step(store, last);
    if (result == STORE_DONE) {
        *stamp_ms = write_gate_stamp(&store->gate, sqlite3_column_int64(last->handle, 0));
        sqlite3_reset(last->handle);
        struct statement *update = database_statement(store, STATEMENT_UPDATE_LAST_STAMP);
        database_bind_integer(update, ":last_stamp", *stamp_ms);
        result = database_run(store, update);
    }
    if (result != STORE_DONE)
        roll_back(store);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

static enum store_result begin_write(struct store *store, int64_t wait_ms, int64_t *stamp_ms)
{
    store->revised_member_id = 0;
    if (!write_gate_enter(&store->gate, wait_ms)) {
        if (errno != ETIMEDOUT)
            log_line("%s-gate: cannot lock the write gate: %s", store->path, strerror(errno));
        else if (wait_ms > 0)
            log_line("%s-gate: another writer did not finish in %lld ms", store->path,
                     (long long)wait_ms);
        return errno == ETIMEDOUT ? STORE_BUSY : STORE_BROKEN;
    }
    enum store_result result = begin_stamped(store, stamp_ms);
    if (result != STORE_DONE)
        write_gate_leave(&store->gate);
    return result;
}

enum store_result store_begin_write(struct store *store, int64_t *stamp_ms)
{
    return begin_write(store, store->write_wait_ms, stamp_ms);
}

enum store_result store_try_begin_write(struct store *store, int64_t *stamp_ms)
{
    sqlite3_busy_timeout(store->database, 0);
    enum store_result result = begin_write(store, 0, stamp_ms);
    sqlite3_busy_timeout(store->database, (int)store->write_wait_ms);
    return result;
}

/* A commit of which only the sync failed stands whole in the log, and the first to open the
 * database after a crash would take it for done. Another commit in its place prevents that. */
static void overwrite_failed_commit(struct store *store)
{
    int64_t stamp_ms;
    if (begin_stamped(store, &stamp_ms) == STORE_DONE)
        database_run(store, database_statement(store, STATEMENT_COMMIT));
    roll_back(store);
}

enum store_result store_commit(struct store *store)
{
    enum store_result result = database_run(store, database_statement(store, STATEMENT_COMMIT));
    if (result != STORE_DONE) {
        bool unsynced = sqlite3_extended_errcode(store->database) == SQLITE_IOERR_FSYNC;
        roll_back(store);
        if (unsynced)
            overwrite_failed_commit(store);
    }
    write_gate_leave(&store->gate);
    return result == STORE_CONFLICT ? STORE_BROKEN : result;
}

void store_rollback(struct store *store)
{
    roll_back(store);
    write_gate_leave(&store->gate);
}

enum store_result store_finish(struct store *store, enum store_result result)
{
    if (result == STORE_DONE)
        return store_commit(store);
    store_rollback(store);
    return result;
}
