/* SQLite writes each page of a commit into the write-ahead log with two calls of the system: one
 * for the 24 bytes of its header, one for the page. Here they are gathered while COMMIT runs.
 *
 * Nobody may read in the file what was not written there, so
 * - the header of a commit's last frame, which carries a mark, ends the gathering: from there on
 *   everything is written at once, and what was gathered is written before it. The index, by which
 *   others find a commit, is changed only after that.
 * - this process gets its own writes before it reads, measures or cuts the file.
 * - what a failed COMMIT has left is dropped: another process may have written in its place by the
 *   time of the next one. The same happens to frames that SQLite did not come to write.
 * The order of the writes stays as SQLite wants it
 * (https://www.sqlite.org/fileformat2.html#walformat). */
#include "database/log_writes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define VFS_NAME "qsosync"
#define ALIGNMENT 16
#define FRAME_HEADER_BYTES 24
#define PAGES_PLACE 4 /* in the header: the size of the database, only in a commit's last frame */
#define PAGES_BYTES 4
#define PIECE_BYTES (64 * 1024)

/* Stands behind the file of SQLite's own VFS, in the same memory. */
struct log_file {
    const sqlite3_io_methods *methods; /* of SQLite's own VFS */
    bool gathers;
    unsigned char *piece;
    int length;       /* of what was gathered */
    sqlite3_int64 at; /* where it belongs in the file */
};

static sqlite3_vfs vfs, *base;
static sqlite3_io_methods log_methods;

static size_t log_file_place(void)
{
    return ((size_t)base->szOsFile + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static struct log_file *log_of(sqlite3_file *file)
{
    return (struct log_file *)((unsigned char *)file + log_file_place());
}

/* -- the file ---------------------------------------------------------------------------------- */

static int write_piece(sqlite3_file *file)
{
    struct log_file *log = log_of(file);
    int length = log->length;
    log->length = 0;
    return length ? log->methods->xWrite(file, log->piece, length, log->at) : SQLITE_OK;
}

static bool ends_commit(const void *bytes, int length)
{
    static const unsigned char none[PAGES_BYTES];
    return length == FRAME_HEADER_BYTES &&
           memcmp((const unsigned char *)bytes + PAGES_PLACE, none, PAGES_BYTES) != 0;
}

static int write_log(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 at)
{
    struct log_file *log = log_of(file);
    int code = SQLITE_OK;
    if (ends_commit(bytes, length))
        log->gathers = false;
    if (!log->gathers || at != log->at + log->length || length > PIECE_BYTES - log->length)
        code = write_piece(file);
    if (code != SQLITE_OK)
        return code;
    if (!log->gathers || length > PIECE_BYTES)
        return log->methods->xWrite(file, bytes, length, at);
    if (log->length == 0)
        log->at = at;
    memcpy(log->piece + log->length, bytes, (size_t)length);
    log->length += length;
    return SQLITE_OK;
}

static int read_log(sqlite3_file *file, void *bytes, int length, sqlite3_int64 at)
{
    int code = write_piece(file);
    return code == SQLITE_OK ? log_of(file)->methods->xRead(file, bytes, length, at) : code;
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size)
{
    int code = write_piece(file);
    return code == SQLITE_OK ? log_of(file)->methods->xTruncate(file, size) : code;
}

static int sync_log(sqlite3_file *file, int flags)
{
    int code = write_piece(file);
    return code == SQLITE_OK ? log_of(file)->methods->xSync(file, flags) : code;
}

static int size_log(sqlite3_file *file, sqlite3_int64 *size)
{
    int code = write_piece(file);
    return code == SQLITE_OK ? log_of(file)->methods->xFileSize(file, size) : code;
}

static int close_log(sqlite3_file *file)
{
    struct log_file *log = log_of(file);
    free(log->piece);
    log->piece = NULL;
    return log->methods->xClose(file);
}

/* -- the VFS ----------------------------------------------------------------------------------- */

static int open_file(sqlite3_vfs *own, const char *name, sqlite3_file *file, int flags, int *given)
{
    (void)own;
    int code = base->xOpen(base, name, file, flags, given);
    if (code != SQLITE_OK || !(flags & SQLITE_OPEN_WAL) || !file->pMethods)
        return code;
    *log_of(file) = (struct log_file){.methods = file->pMethods};
    log_methods = *file->pMethods;
    log_methods.xClose = close_log;
    log_methods.xRead = read_log;
    log_methods.xWrite = write_log;
    log_methods.xTruncate = truncate_log;
    log_methods.xSync = sync_log;
    log_methods.xFileSize = size_log;
    file->pMethods = &log_methods;
    return code;
}

const char *log_writes_vfs(void)
{
    if (base)
        return VFS_NAME;
    if (!(base = sqlite3_vfs_find(NULL)))
        return NULL;
    vfs = *base;
    vfs.zName = VFS_NAME;
    vfs.szOsFile = (int)(log_file_place() + sizeof(struct log_file));
    vfs.xOpen = open_file;
    if (sqlite3_vfs_register(&vfs, 0) == SQLITE_OK)
        return VFS_NAME;
    base = NULL;
    return NULL;
}

/* -- around COMMIT ----------------------------------------------------------------------------- */

static struct log_file *find_log(sqlite3 *handle)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods == &log_methods ? log_of(file) : NULL;
}

void log_writes_begin(sqlite3 *handle)
{
    struct log_file *log = find_log(handle);
    if (!log)
        return;
    if (!log->piece)
        log->piece = memory_allocate(PIECE_BYTES);
    log->length = 0;
    log->gathers = true;
}

void log_writes_end(sqlite3 *handle)
{
    struct log_file *log = find_log(handle);
    if (!log)
        return;
    log->length = 0;
    log->gathers = false;
}
