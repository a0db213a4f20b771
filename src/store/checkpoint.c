/* What an open database needs now and then, done when no client waits for it: commits that a dead
 * writer has left are settled, the write-ahead log is moved into the database, and mapped pages are
 * given back. */
#include "store/checkpoint.h"

#include <sys/resource.h>

#include "base/log.h"

#define LOG_PAGES_LONG 1000 /* SQLite's own default */
#define LOG_PAGES_MAX 4000
#define UNMAP_FILE "PRAGMA mmap_size = 0"
#define FAULTS_MAX 160 /* each maps up to 64 KiB (the kernel's fault_around_bytes) */

/* What was committed stays committed even if this fails, but without a line in the log nobody would
 * learn that the write-ahead log goes on growing. */
static void shorten_log(struct store *store)
{
    int code =
        sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && database_primary_code(code) != SQLITE_BUSY)
        log_line("%s: cannot move the log into the database: %s (SQLite code %d)", store->path,
                 sqlite3_errstr(code), code);
    store->log_pages = 0;
}

/* After each commit. Usually the log is shortened after the response was sent. Where writers follow
 * each other too closely for that, it is done here, with the writer lock still held. */
static int note_log(void *context, sqlite3 *database, const char *name, int pages)
{
    struct store *store = context;
    (void)database;
    (void)name;
    store->log_pages = pages;
    if (pages >= LOG_PAGES_MAX)
        shorten_log(store);
    return SQLITE_OK;
}

void checkpoint_watch_log(struct store *store)
{
    sqlite3_wal_hook(store->database, note_log, store);
}

static void release_pages(struct store *store)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_minflt - store->page_faults < FAULTS_MAX)
        return;
    store->page_faults = usage.ru_minflt;
    database_execute(store, UNMAP_FILE);
    database_execute(store, CHECKPOINT_MAP_FILE);
}

void store_checkpoint(struct store *store)
{
    if (!store)
        return;
    database_settle(store);
    /* A page must not be half-written in the database while its only whole copy, in the log, may
     * not be on the disk. */
    if (store->log_pages >= LOG_PAGES_LONG && !writer_lock_is_in_flight(&store->writer_lock))
        shorten_log(store);
    release_pages(store);
}
