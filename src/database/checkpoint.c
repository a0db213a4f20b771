/* Care of an open database, while no client waits for it: a commit that a dead writer has left is
 * made certain, the write-ahead log is moved into the database, and mapped pages are given back.
 * When that is done is left to the programs, between two requests. */
#include "database/checkpoint.h"

#include <sys/resource.h>

#include "base/log.h"
#include "database/transaction.h"

#define LOG_PAGES_LONG 1000 /* SQLite's own default */
#define LOG_PAGES_MAX 4000
#define UNMAP_FILE "PRAGMA mmap_size = 0"
#define FAULTS_MAX 160 /* each maps up to 64 KiB (the kernel's fault_around_bytes) */

/* What was committed stays committed even if this fails, but without a line in the log nobody would
 * learn that the write-ahead log goes on growing. */
static void shorten_log(struct database *database)
{
    int code =
        sqlite3_wal_checkpoint_v2(database->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && database_primary_code(code) != SQLITE_BUSY)
        log_line("%s: cannot move the log into the database: %s (SQLite code %d)", database->path,
                 sqlite3_errstr(code), code);
    database->log_pages = 0;
}

/* After each commit. Usually the log is shortened after the response was sent. Where writers follow
 * each other too closely for that, it is done here, with the writer lock still held. */
static int note_log(void *context, sqlite3 *handle, const char *name, int pages)
{
    struct database *database = context;
    (void)handle;
    (void)name;
    database->log_pages = pages;
    if (pages >= LOG_PAGES_MAX)
        shorten_log(database);
    return SQLITE_OK;
}

void checkpoint_watch_log(struct database *database)
{
    sqlite3_wal_hook(database->handle, note_log, database);
}

static void release_pages(struct database *database)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_minflt - database->page_faults < FAULTS_MAX)
        return;
    database->page_faults = usage.ru_minflt;
    database_execute(database, UNMAP_FILE);
    database_execute(database, CHECKPOINT_MAP_FILE);
}

void checkpoint_run(struct database *database)
{
    transaction_make_certain(database);
    /* A page must not be half-written in the database while its only whole copy, in the log, may
     * not be on the disk. */
    if (database->log_pages >= LOG_PAGES_LONG && !writer_lock_is_in_flight(&database->writer_lock))
        shorten_log(database);
    release_pages(database);
}
