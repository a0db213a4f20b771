/* Whether anybody has committed anything, without a query and without a call of the system.
 *
 * The connections of a write-ahead log share its index in memory, and the header of the index
 * changes at the very moment when a commit can be seen, and when the log begins from its start. It
 * is there twice (https://www.sqlite.org/walformat.html, 2.1). SQLite holds it against the one that
 * it has read before to learn whether its page cache still counts; the same is done here. */
#include "database/commits.h"

#include <string.h>

#define INDEX_PIECE_BYTES 32768 /* as SQLite maps the index */
#define INDEX_VERSION 3007000

/* Only where SQLite has mapped it already: no file is to appear because somebody looks. It stays
 * mapped as long as the connection is open: nobody can take the log from a logbook that is open. */
static bool find_header(struct database *database)
{
    sqlite3_file *log = NULL, *file = NULL;
    void volatile *header = NULL;
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (!log || !log->pMethods || !file || !file->pMethods || file->pMethods->iVersion < 2 ||
        !file->pMethods->xShmMap ||
        file->pMethods->xShmMap(file, 0, INDEX_PIECE_BYTES, 0, &header) != SQLITE_OK)
        return false;
    database->index_file = file;
    database->index_header = header;
    return header;
}

/* What is read after it is no older than it. */
static bool read_header(const struct database *database, uint64_t header[COMMITS_WORDS])
{
    uint32_t version;
    for (size_t i = 0; i < COMMITS_WORDS; i++)
        header[i] = database->index_header[i];
    database->index_file->pMethods->xShmBarrier(database->index_file);
    memcpy(&version, header, sizeof version);
    return version == INDEX_VERSION;
}

void commits_note(struct database *database)
{
    database->commits_noted = (database->index_header || find_header(database)) &&
                              read_header(database, database->commits);
}

bool commits_are_new(const struct database *database)
{
    uint64_t header[COMMITS_WORDS];
    return !database->commits_noted || !read_header(database, header) ||
           memcmp(header, database->commits, sizeof header) != 0;
}
