/* Creates the schema of a new logbook from schema/schema.sql, and brings older schemas up to date
 * with the numbered files in schema/migrations. The build adds these files to the program. A
 * released file is never edited, and describes only its own step. A schema cannot be changed back
 * to an older version. */
#include "database/migrations.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "database/copy.h"
#include "database/write_ahead_log.h"

#define APPLICATION_ID 0x51534f53 /* "QSOS", stored in the database file's header */
#define SWITCH_PAUSE_MS 5
#define LAST_VERSION ((int64_t)embedded_migration_count)

/* Reads the integers in the columns of the query's only row. */
static enum store_result read_integers(struct database *database, const char *sql, int64_t *values)
{
    sqlite3_stmt *handle;
    int code = sqlite3_prepare_v2(database->handle, sql, -1, &handle, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(handle)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(handle); i++)
            values[i] = sqlite3_column_int64(handle, i);
        code = SQLITE_OK;
    }
    sqlite3_finalize(handle);
    return database_result(database, code, "read the schema version");
}

static enum store_result read_version(struct database *database, int64_t *version)
{
    return read_integers(database, "PRAGMA user_version", version);
}

/* Logs that the lock was not free. Another process could be running the same migration, which takes
 * a long time in a large logbook. */
static enum store_result refuse_to_wait(const struct database *database)
{
    log_line("%s: another program has locked the logbook for %lld ms, perhaps to bring its schema "
             "up to date; try again later",
             database->path, (long long)database->write_wait_ms);
    return STORE_BUSY;
}

static enum store_result begin(struct database *database)
{
    int code = sqlite3_exec(database->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (database_primary_code(code) == SQLITE_BUSY)
        return refuse_to_wait(database);
    return database_result(database, code, "begin to update its schema");
}

/* Prepares the writer lock as for any other write. Ensures that a dead writer's commit is on the
 * disk, and shows readers that a write has begun. */
static enum store_result announce(struct database *database, int64_t version)
{
    enum store_result result = STORE_DONE;
    int64_t last_stamp_ms = 0;
    if (!database->writer_lock.page)
        return STORE_DONE; /* a private copy has no writer lock */
    if (writer_lock_is_inherited(&database->writer_lock))
        result = write_ahead_log_rewrite(database);
    if (version > 0)
        THEN(result, read_integers(database, "SELECT last_stamp FROM logbook", &last_stamp_ms));
    if (result == STORE_DONE)
        writer_lock_stamp(&database->writer_lock, last_stamp_ms);
    return result;
}

/* Runs the next migration. In a new database, runs schema.sql, which sets its own version. */
static enum store_result execute_next(struct database *database, int64_t version)
{
    int64_t next = version + 1;
    char marks[96];
    enum store_result result = announce(database, version);
    THEN(result,
         database_execute(database, version == 0 ? embedded_schema : embedded_migrations[version]));
    if (version == 0)
        THEN(result, read_version(database, &next));
    if (next == LAST_VERSION)
        THEN(result, database_execute(database, embedded_views));
    sqlite3_snprintf(sizeof marks, marks, "PRAGMA user_version = %lld; PRAGMA application_id = %d",
                     (long long)next, APPLICATION_ID);
    return THEN(result, database_execute(database, marks));
}

/* Overwrites a failed commit, which can be complete in the write-ahead log, with a commit that
 * changes nothing. */
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
    result = read_version(database, &version);
    bool is_next = result == STORE_DONE && version == seen_version;
    if (is_next)
        result = execute_next(database, version);
    bool commits = result == STORE_DONE;
    THEN(result, database_execute(database, "COMMIT"));
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

/* Recognises a file of ours, and reads its version. Returns STORE_NONE for an empty database. A
 * file with content but without our mark belongs to another program. One statement reads all three
 * values from one snapshot. With several snapshots, another process's first migration between them
 * would make our file look foreign. */
static enum store_result recognise(struct database *database, int64_t *version)
{
    enum { HAS_VERSION, HAS_APPLICATION, HAS_OBJECTS };
    int64_t found[HAS_OBJECTS + 1] = {0};
    enum store_result result =
        read_integers(database,
                      "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) "
                      "FROM pragma_user_version, pragma_application_id",
                      found);
    *version = found[HAS_VERSION];
    if (result != STORE_DONE)
        return result;
    if (found[HAS_VERSION] == 0 && found[HAS_APPLICATION] == 0 && found[HAS_OBJECTS] == 0)
        return STORE_NONE;
    if (found[HAS_APPLICATION] != APPLICATION_ID || found[HAS_VERSION] == 0) {
        log_line("%s is a database, but not a QSOsync logbook", database->path);
        return STORE_FOREIGN;
    }
    if (found[HAS_VERSION] > LAST_VERSION) {
        log_line("%s has schema version %lld, but this program supports only versions up to %zu; "
                 "use a newer QSOsync",
                 database->path, (long long)found[HAS_VERSION], embedded_migration_count);
        return STORE_NEWER;
    }
    return STORE_DONE;
}

/* Switches to write-ahead logging. If several processes switch a new database at the same time, all
 * but one immediately get SQLITE_BUSY, because SQLite ignores its busy timeout here. */
static enum store_result switch_to_log(struct database *database)
{
    const int64_t end_ms = clock_monotonic_ms() + database->write_wait_ms;
    int code;
    do
        code = sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    while (database_primary_code(code) == SQLITE_BUSY && clock_monotonic_ms() < end_ms &&
           sqlite3_sleep(SWITCH_PAUSE_MS) > 0);
    return database_result(database, code, "switch to write-ahead logging");
}

static enum store_result run_from(struct database *database, int64_t version)
{
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && version < LAST_VERSION) {
        result = run_next_alone(database, version);
        THEN(result, read_version(database, &version));
    }
    return result;
}

enum store_result migrations_run(struct database *database, bool create)
{
    int64_t version = 0;
    enum store_result result = recognise(database, &version);
    if (result == STORE_NONE && create)
        result = STORE_DONE;
    THEN(result, switch_to_log(database));
    if (result == STORE_DONE && !writer_lock_open(&database->writer_lock, database->path)) {
        log_line("%s" WRITER_LOCK_SUFFIX ": cannot open the writer lock: %s", database->path,
                 strerror(errno));
        result = STORE_BROKEN;
    }
    database->brought_forward = version > 0 && version < LAST_VERSION;
    return THEN(result, run_from(database, version));
}

/* Replaces the open database with a copy. A database without a name is private to the connection.
 * SQLite moves such a database to a temporary file if the database grows. */
static enum store_result copy_privately(struct database *database)
{
    sqlite3 *copy = NULL;
    int code = sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK)
        code = copy_database(database->handle, copy);
    if (code != SQLITE_OK) {
        log_line("%s: cannot copy the logbook to update the copy's schema: %s", database->path,
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
    enum store_result result = recognise(database, &version);
    if (result != STORE_DONE || version == LAST_VERSION)
        return result;
    result = copy_privately(database);
    return THEN(result, run_from(database, version));
}

enum store_result migrations_check(struct database *database)
{
    int64_t version;
    enum store_result result = recognise(database, &version);
    if (result != STORE_DONE || version == LAST_VERSION)
        return result;
    log_line("%s has schema version %lld, but this program needs another version", database->path,
             (long long)version);
    return STORE_BROKEN;
}
