/* Makes the schema of a new logbook by schema/schema.sql, and brings older ones up to date by the
 * numbered files in schema/migrations; all are part of the program. There are steps forward only: a
 * file is never edited once it is released. What a step changes is said in its file; programs that
 * only read an older logbook do so by read_only_open. */
#include "database/database.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "database/copy.h"
#include "database/transaction.h"

#define APPLICATION_ID 0x51534f53 /* "QSOS", in the database file's header */
#define SWITCH_PAUSE_MS 5

static enum store_result read_pragma(struct database *database, const char *sql, int64_t *value)
{
    sqlite3_stmt *handle;
    int code = sqlite3_prepare_v2(database->handle, sql, -1, &handle, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(handle)) == SQLITE_ROW) {
        *value = sqlite3_column_int64(handle, 0);
        code = SQLITE_OK;
    }
    sqlite3_finalize(handle);
    return code == SQLITE_OK ? STORE_DONE
                             : database_failure(database, code, "read the schema version");
}

/* Another process may run the same migration, which takes long in a large logbook. */
static enum store_result refuse_to_wait(const struct database *database)
{
    log_line("%s: another program has kept the logbook for %lld ms, perhaps to bring its schema "
             "forward; try again later",
             database->path, (long long)database->write_wait_ms);
    return STORE_BUSY;
}

static enum store_result begin(struct database *database)
{
    int code = sqlite3_exec(database->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (database_primary_code(code) == SQLITE_BUSY)
        return refuse_to_wait(database);
    return code == SQLITE_OK ? STORE_DONE
                             : database_failure(database, code, "begin to bring it forward");
}

/* The same as before every other write: what a dead writer has left is made certain, and readers
 * learn that something is on its way to the disk. */
static enum store_result announce(struct database *database, int64_t version)
{
    enum store_result result = STORE_DONE;
    int64_t last_stamp_ms = 0;
    if (!database->writer_lock.page)
        return STORE_DONE; /* a private copy */
    if (writer_lock_is_inherited(&database->writer_lock))
        result = transaction_write_log_again(database);
    if (result == STORE_DONE && version > 0)
        result = read_pragma(database, "SELECT last_stamp FROM logbook", &last_stamp_ms);
    if (result == STORE_DONE)
        writer_lock_stamp(&database->writer_lock, last_stamp_ms);
    return result;
}

/* schema.sql says itself which version it makes. */
static enum store_result execute_step(struct database *database, int64_t *version)
{
    char setting[64];
    if (*version == 0) {
        enum store_result result = database_execute(database, embedded_schema);
        return THEN(result, read_pragma(database, "PRAGMA user_version", version));
    }
    enum store_result result = database_execute(database, embedded_migrations[*version]);
    ++*version;
    sqlite3_snprintf(sizeof setting, setting, "PRAGMA user_version = %lld", (long long)*version);
    return THEN(result, database_execute(database, setting));
}

static enum store_result execute_next(struct database *database, int64_t version)
{
    char mark[48];
    sqlite3_snprintf(sizeof mark, mark, "PRAGMA application_id = %d", APPLICATION_ID);
    enum store_result result = announce(database, version);
    THEN(result, execute_step(database, &version));
    if (result == STORE_DONE && version == (int64_t)embedded_migration_count)
        result = database_execute(database, embedded_views);
    return THEN(result, database_execute(database, mark));
}

/* Overwrites a failed commit, which may be whole in the log, with one that changes nothing. */
static bool overwrite_failed_commit(struct database *database, int64_t version)
{
    char sql[128];
    sqlite3_snprintf(sizeof sql, sql,
                     "BEGIN IMMEDIATE; PRAGMA user_version = %lld; PRAGMA user_version = %lld; "
                     "COMMIT",
                     (long long)version + 1, (long long)version);
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static enum store_result run_next(struct database *database, int64_t seen_version,
                                  enum write_end *end)
{
    int64_t version;
    enum store_result result = begin(database);
    *end = WRITE_UNDONE;
    if (result != STORE_DONE)
        return result;
    result = read_pragma(database, "PRAGMA user_version", &version);
    bool is_next = result == STORE_DONE && version == seen_version;
    if (is_next)
        result = execute_next(database, version);
    bool commits = result == STORE_DONE;
    if (commits)
        result = database_execute(database, "COMMIT");
    if (result != STORE_DONE)
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    if (is_next && commits)
        *end = result == STORE_DONE || overwrite_failed_commit(database, version) ? WRITE_COMMITTED
                                                                                  : WRITE_UNCERTAIN;
    return result;
}

static enum store_result run_next_alone(struct database *database, int64_t seen_version)
{
    struct writer_lock *lock = &database->writer_lock;
    enum write_end end;
    if (!lock->page)
        return run_next(database, seen_version, &end);
    if (!writer_lock_enter(lock, database->write_wait_ms)) {
        if (errno == ETIMEDOUT)
            return refuse_to_wait(database);
        log_line("%s" WRITER_LOCK_SUFFIX ": cannot take the writer lock: %s", database->path,
                 strerror(errno));
        return STORE_BROKEN;
    }
    enum store_result result = run_next(database, seen_version, &end);
    writer_lock_leave(lock, end);
    return result;
}

/* A file that has content but not our mark belongs to another program. */
static enum store_result recognise(struct database *database, int64_t *version)
{
    int64_t application = 0, objects = 0;
    enum store_result result = read_pragma(database, "PRAGMA user_version", version);
    THEN(result, read_pragma(database, "PRAGMA application_id", &application));
    bool may_be_new = result == STORE_DONE && *version == 0 && application == 0;
    if (may_be_new)
        result = read_pragma(database, "SELECT count(*) FROM sqlite_schema", &objects);
    if (result != STORE_DONE)
        return result;
    if (may_be_new && objects == 0)
        return STORE_NONE;
    if (application != APPLICATION_ID || *version == 0) {
        log_line("%s is a database, but not a QSOsync logbook", database->path);
        return STORE_FOREIGN;
    }
    if (*version > (int64_t)embedded_migration_count) {
        log_line("%s has schema version %lld, newer than the %zu of this program: use a newer "
                 "QSOsync",
                 database->path, (long long)*version, embedded_migration_count);
        return STORE_NEWER;
    }
    return STORE_DONE;
}

/* In one snapshot: the version from before another process's first migration and the objects from
 * after it would look like another program's database. */
static enum store_result recognise_in_snapshot(struct database *database, int64_t *version)
{
    enum store_result result = database_execute(database, "BEGIN");
    if (result != STORE_DONE)
        return result;
    result = recognise(database, version);
    sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return result;
}

/* When several processes switch a new database at the same time, all but one get SQLITE_BUSY at
 * once: here SQLite does not use its busy timeout. */
static enum store_result switch_to_log(struct database *database)
{
    const int64_t end_ms = clock_monotonic_ms() + database->write_wait_ms;
    int code = sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    while (database_primary_code(code) == SQLITE_BUSY && clock_monotonic_ms() < end_ms) {
        sqlite3_sleep(SWITCH_PAUSE_MS);
        code = sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    }
    return code == SQLITE_OK ? STORE_DONE
                             : database_failure(database, code, "switch to write-ahead logging");
}

static enum store_result run_from(struct database *database, int64_t version)
{
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && version < (int64_t)embedded_migration_count) {
        result = run_next_alone(database, version);
        THEN(result, read_pragma(database, "PRAGMA user_version", &version));
    }
    return result;
}

enum store_result migrations_run(struct database *database, bool create)
{
    int64_t version = 0;
    enum store_result result = recognise_in_snapshot(database, &version);
    if (result == STORE_NONE && create)
        result = STORE_DONE;
    THEN(result, switch_to_log(database));
    if (result == STORE_DONE && !writer_lock_open(&database->writer_lock, database->path)) {
        log_line("%s" WRITER_LOCK_SUFFIX ": cannot open the writer lock: %s", database->path,
                 strerror(errno));
        result = STORE_BROKEN;
    }
    database->brought_forward = version > 0 && version < (int64_t)embedded_migration_count;
    return THEN(result, run_from(database, version));
}

/* A database without a name is SQLite's private one, in a temporary file if it grows. */
static enum store_result copy_privately(struct database *database)
{
    sqlite3 *copy = NULL;
    int code = sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK)
        code = copy_database(database->handle, copy);
    if (code != SQLITE_OK) {
        log_line("%s: cannot copy it, to bring the copy's schema up to date: %s", database->path,
                 sqlite3_errstr(code));
        sqlite3_close(copy);
        return STORE_BROKEN;
    }
    sqlite3_close(database->handle);
    database->handle = copy;
    return STORE_DONE;
}

enum store_result migrations_run_on_copy(struct database *database)
{
    int64_t version;
    enum store_result result = recognise_in_snapshot(database, &version);
    if (result != STORE_DONE || version == (int64_t)embedded_migration_count)
        return result;
    result = copy_privately(database);
    return THEN(result, run_from(database, version));
}

enum store_result migrations_check(struct database *database)
{
    int64_t version;
    enum store_result result = recognise_in_snapshot(database, &version);
    if (result != STORE_DONE || version == (int64_t)embedded_migration_count)
        return result;
    log_line("%s has schema version %lld, which is not that of this program", database->path,
             (long long)version);
    return STORE_BROKEN;
}
