/* Moves the content of SQLite's write-ahead log into the database, and rewrites the log after a
 * failed sync. checkpoint.c and transaction.c decide when. */
#include "database/write_ahead_log.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/log.h"

#define PAGES_MAX 4000
#define PIECE_BYTES (64 * 1024)

/* Moves the write-ahead log into the database. If this fails, committed data stays committed. The
 * logged failure explains why the write-ahead log keeps growing. */
void write_ahead_log_shorten(struct database *database)
{
    int code =
        sqlite3_wal_checkpoint_v2(database->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && database_primary_code(code) != SQLITE_BUSY)
        log_line("%s-wal: cannot move the changes into the database: %s (SQLite code %d)",
                 database->path, sqlite3_errstr(code), code);
    database->log_pages = 0;
}

/* Records the length of the write-ahead log; SQLite calls this function after each commit. Usually
 * checkpoint_run shortens the log after the response has been sent. If writers follow each other
 * too closely for this, this function shortens the log while its writer still holds the lock. */
static int note_log(void *context, sqlite3 *handle, const char *name, int pages)
{
    struct database *database = context;
    (void)handle;
    (void)name;
    database->log_pages = pages;
    if (pages >= PAGES_MAX)
        write_ahead_log_shorten(database);
    return SQLITE_OK;
}

void write_ahead_log_watch(struct database *database)
{
    sqlite3_wal_hook(database->handle, note_log, database);
}

/* Writes the whole write-ahead log again, piece by piece. If a sync fails, Linux marks the
 * unwritten data as clean: reads still return the data, and the next sync succeeds without writing
 * the data. While any process has the database open, SQLite overwrites the commit whose sync failed
 * with the next commit. But if the log's index is rebuilt, SQLite finds that commit complete, and
 * adds later commits after it. The later commits are acknowledged, but a power cut loses these
 * commits together with the unsynced commit, because checksums run through the log. Therefore a log
 * that can contain such a commit is rewritten completely before anything is added. */

static int write_again(sqlite3_file *file, unsigned char *piece)
{
    sqlite3_int64 size = 0;
    int code = file->pMethods->xFileSize(file, &size);
    for (sqlite3_int64 at = 0; at < size && code == SQLITE_OK; at += PIECE_BYTES) {
        int length = size - at < PIECE_BYTES ? (int)(size - at) : PIECE_BYTES;
        code = file->pMethods->xRead(file, piece, length, at);
        if (code == SQLITE_OK)
            code = file->pMethods->xWrite(file, piece, length, at);
    }
    return code;
}

enum store_result write_ahead_log_rewrite(struct database *database)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code == SQLITE_OK && file && file->pMethods) {
        unsigned char *piece = memory_allocate(PIECE_BYTES);
        code = write_again(file, piece);
        free(piece);
    }
    return database_result(database, code, "write the log again");
}
