/* Begins and ends transactions on the open database.
 *
 * A committed transaction is on the disk (WAL with synchronous=FULL). Its stamp is above the
 * serverTime of every answer that lacks the transaction (writer_lock.c explains why). */
#include "database/transaction.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "database/copy.h"
#include "database/write_ahead_log.h"

#define CERTAIN_PAUSE_MS 5000 /* pause between two attempts while the disk fails */
/* maximum wait for a snapshot that is on the disk; while the disk fails, only SAFE_TRIES attempts
 * are made */
#define SAFE_WAIT_MS 1000
#define SAFE_PAUSE_MS 1
#define SAFE_TRIES 20

/* Rolls the transaction back, unless SQLite has already done so, as it does after some failures. */
static void roll_back(struct database *database)
{
    if (!sqlite3_get_autocommit(database->handle))
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* Reads the database's last stamp. The first read in a transaction opens its snapshot. */
static enum store_result read_last_stamp(struct database *database, int64_t *last_stamp_ms)
{
    struct statement *read = database_statement(database, STATEMENT_READ_LAST_STAMP);
    enum store_result result = database_find_integer(database, read, "last_stamp", last_stamp_ms);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

/* Opens the snapshot, and sets *now_ms to a time that a reader may receive as serverTime. Returns
 * STORE_BUSY if the snapshot contains a commit that is possibly not on the disk. */
static enum store_result begin_snapshot(struct database *database, int64_t *now_ms)
{
    int64_t last_stamp_ms;
    bool is_certain = database->read_only;
    if (!database->read_only)
        *now_ms = writer_lock_read_time(&database->writer_lock, *now_ms, &is_certain);
    enum store_result result =
        database_run(database, database_statement(database, STATEMENT_BEGIN_READ));
    if (result != STORE_DONE || is_certain)
        return result;
    result = read_last_stamp(database, &last_stamp_ms);
    if (result == STORE_DONE && !writer_lock_is_safe(&database->writer_lock, last_stamp_ms))
        result = STORE_BUSY;
    if (result != STORE_DONE)
        roll_back(database);
    return result;
}

/* Waits until a snapshot can be opened whose content is on the disk. The wait is usually short: a
 * writer needs only milliseconds from its sync to the end of its commit. */
enum store_result transaction_begin_read(struct database *database, int64_t *now_ms)
{
    int64_t start_ms = *now_ms, clock_ms = clock_monotonic_ms();
    int64_t end_ms = clock_ms + (clock_ms < database->certain_again_ms ? 0 : SAFE_WAIT_MS);
    budget_renew();
    enum store_result result = begin_snapshot(database, now_ms);
    for (int i = 0; result == STORE_BUSY && (i < SAFE_TRIES || clock_monotonic_ms() < end_ms);
         i++) {
        poll(NULL, 0, SAFE_PAUSE_MS);
        transaction_make_certain(database);
        *now_ms = start_ms;
        result = begin_snapshot(database, now_ms);
    }
    if (result != STORE_BUSY)
        return result;
    log_line(
        "%s: cannot be read: %s-wal contains a write of a crashed program, and cannot be synced "
        "to the disk",
        database->path, database->path);
    return STORE_BROKEN;
}

int64_t transaction_server_time(const struct database *database, int64_t now_ms,
                                int64_t last_stamp_ms)
{
    const int64_t time_ms = last_stamp_ms > now_ms ? last_stamp_ms : now_ms;
    if (!database->read_only)
        writer_lock_note_told(&database->writer_lock, time_ms);
    return time_ms;
}

/* Checks the schema's version. A newer program may have updated the schema since this program
 * opened it. */
static enum store_result check_version(struct database *database)
{
    int64_t version = 0;
    struct statement *read = database_statement(database, STATEMENT_READ_SCHEMA_VERSION);
    if (database_find_integer(database, read, "user_version", &version) != STORE_DONE)
        return STORE_BROKEN;
    if (version == (int64_t)embedded_migration_count)
        return STORE_DONE;
    log_line("%s has schema version %lld now, but this program needs another version",
             database->path, (long long)version);
    database->inode = 0; /* the file is treated as replaced */
    return STORE_BROKEN;
}

/* Returns the time of a write as people see it. Stamps always rise, so they are ahead of the clock
 * if the clock was set back, or if many programs write at once. */
static int64_t time_of_writing(int64_t stamp_ms)
{
    int64_t now_ms = clock_wall_ms();
    return stamp_ms > now_ms + 1 ? now_ms : stamp_ms;
}

static enum store_result begin_after(struct database *database, int64_t *last_stamp_ms)
{
    enum store_result result =
        database_run(database, database_statement(database, STATEMENT_BEGIN_WRITE));
    THEN(result, check_version(database));
    if (result == STORE_DONE && writer_lock_is_inherited(&database->writer_lock))
        result = write_ahead_log_rewrite(database);
    return THEN(result, read_last_stamp(database, last_stamp_ms));
}

static enum store_result put_last_stamp(struct database *database, int64_t stamp_ms)
{
    return database_run(database, database_with(database, STATEMENT_UPDATE_LAST_STAMP,
                                                BIND("last_stamp", stamp_ms)));
}

static enum store_result begin_stamped(struct database *database, struct write_times *out)
{
    /* A restore may have moved the open file while this writer waited for the lock. */
    if (!database_is_current(database)) {
        log_line("%s: the file was replaced by another file; nothing was written", database->path);
        return STORE_BUSY;
    }
    enum store_result result = begin_after(database, &out->previous_stamp_ms);
    if (result == STORE_DONE) {
        out->stamp_ms = writer_lock_stamp(&database->writer_lock, out->previous_stamp_ms);
        result = put_last_stamp(database, out->stamp_ms);
    }
    if (result != STORE_DONE)
        roll_back(database);
    return result;
}

enum store_result transaction_begin_write(struct database *database, int64_t wait_ms,
                                          struct write_times *out)
{
    budget_renew();
    if (!writer_lock_enter(&database->writer_lock, wait_ms)) {
        if (errno != ETIMEDOUT)
            log_line("%s" WRITER_LOCK_SUFFIX ": cannot take the writer lock: %s", database->path,
                     strerror(errno));
        else if (wait_ms > 0)
            log_line("%s" WRITER_LOCK_SUFFIX
                     ": cannot take the writer lock: another writer did not finish within %lld ms",
                     database->path, (long long)wait_ms);
        return errno == ETIMEDOUT ? STORE_BUSY : STORE_BROKEN;
    }
    /* SQLite waits for programs that write without our lock: older migrations, and the sqlite3
     * shell. */
    sqlite3_busy_timeout(database->handle, (int)wait_ms);
    database->only_tries = wait_ms == 0;
    enum store_result result = begin_stamped(database, out);
    database->only_tries = false;
    sqlite3_busy_timeout(database->handle, (int)database->write_wait_ms);
    if (result == STORE_DONE)
        out->written_at_ms = time_of_writing(out->stamp_ms);
    else
        writer_lock_leave(&database->writer_lock, WRITE_UNDONE);
    return result;
}

/* Commits an unchanged page in place of the failed commit, which can be complete in the write-ahead
 * log. If the sync of the new commit also fails, either commit can come back, so the new commit
 * leaves the content as it was. SQLite does not write unchanged pages, so the stamp is changed and
 * then changed back. */
static enum store_result overwrite_failed_commit(struct database *database)
{
    int64_t last_stamp_ms;
    enum store_result result = begin_after(database, &last_stamp_ms);
    THEN(result, put_last_stamp(database, last_stamp_ms + 1));
    THEN(result, put_last_stamp(database, last_stamp_ms));
    THEN(result, database_run(database, database_statement(database, STATEMENT_COMMIT)));
    roll_back(database);
    return result;
}

static void end_commit(struct database *database, bool committed)
{
    if (!committed)
        roll_back(database);
    bool is_certain = committed || overwrite_failed_commit(database) == STORE_DONE;
    writer_lock_leave(&database->writer_lock, is_certain ? WRITE_COMMITTED : WRITE_UNCERTAIN);
}

/* Commits the transaction. First renews the request's time budget, which must not run out during
 * the commit. A client that receives status 500 assumes that nothing was saved. */
enum store_result transaction_commit(struct database *database)
{
    budget_renew();
    struct statement *commit = database_statement(database, STATEMENT_COMMIT);
    enum store_result result = database_run(database, commit);
    end_commit(database, result == STORE_DONE);
    if (result != STORE_REFUSED)
        return result;
    /* In an intact logbook, our writes violate no foreign key. */
    log_line("%s: a foreign key would be violated: run qsosync-admin check", database->path);
    return STORE_BROKEN;
}

/* Replaces the content. SQLite copies the pages in its own transaction; this writer keeps the
 * writer lock between the two transactions. The hook in write_ahead_log.c does not count the pages
 * that the copy adds to the write-ahead log, so log_pages is set to the maximum. */
enum store_result transaction_commit_copy(struct database *database, sqlite3 *from)
{
    roll_back(database);
    budget_renew();
    const enum store_result result =
        database_result(database, copy_database(from, database->handle), "write the copy");
    end_commit(database, result == STORE_DONE);
    database->log_pages = INT_MAX;
    return result;
}

void transaction_rollback(struct database *database)
{
    roll_back(database);
    writer_lock_leave(&database->writer_lock, WRITE_UNDONE);
}

/* Settles a commit that could reappear, if the lock is free. If the lock is taken, the active
 * writer usually settles the commit. Returns STORE_NONE if nothing was done. */
static enum store_result make_certain(struct database *database)
{
    if (!writer_lock_enter(&database->writer_lock, 0))
        return STORE_NONE;
    bool is_needed = writer_lock_is_in_flight(&database->writer_lock);
    enum store_result result = is_needed ? overwrite_failed_commit(database) : STORE_NONE;
    writer_lock_leave(&database->writer_lock,
                      result == STORE_DONE ? WRITE_COMMITTED : WRITE_UNCERTAIN);
    return result;
}

void transaction_make_certain(struct database *database)
{
    int64_t now_ms = clock_monotonic_ms();
    if (database->read_only || !writer_lock_is_in_flight(&database->writer_lock) ||
        now_ms < database->certain_again_ms)
        return;
    sqlite3_busy_timeout(database->handle, 0);
    enum store_result result = make_certain(database);
    sqlite3_busy_timeout(database->handle, (int)database->write_wait_ms);
    if (result != STORE_DONE && result != STORE_NONE)
        database->certain_again_ms = now_ms + CERTAIN_PAUSE_MS;
}

bool database_is_current(const struct database *database)
{
    struct stat status;
    return stat(database->path, &status) == 0 && status.st_dev == database->device &&
           status.st_ino == database->inode;
}
