/* When a sync fails, Linux marks what it should have written as clean: it still reads as if it were
 * there, and the next sync succeeds without writing it. As long as one process has the database
 * open, SQLite puts the next commit in the place of the one whose sync failed. But when the index
 * of the log is made again, that commit is found whole, and later commits come after it. They are
 * acknowledged, and a power cut loses them together with it, because checksums run through the log.
 * So a log that may hold such a commit is written again as a whole before anything is added to it.
 */
#include "database/log_file.h"

#include <stdlib.h>

#include "base/arena.h"

#define PIECE_BYTES (64 * 1024)

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

enum store_result log_file_write_again(struct database *database)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code == SQLITE_OK && file && file->pMethods) {
        unsigned char *piece = memory_allocate(PIECE_BYTES);
        code = write_again(file, piece);
        free(piece);
    }
    return code == SQLITE_OK ? STORE_DONE
                             : database_failure(database, code, "write the log once more");
}
