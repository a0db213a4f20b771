/* Opens a file without changing it. SQLite's own read-only modes ignore CHECK constraints, so a
 * check would find no violations. These modes also create files next to a database that uses a
 * write-ahead log. If SQLite cannot create the files, opening fails.
 *
 * A file without a write-ahead log is complete in itself. Such a file is mapped into memory, and
 * SQLite works on the mapping, which is never written to the file. */
#include "database/read_only.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "database/literal_path.h"

#define HEADER_BYTES 100 /* https://www.sqlite.org/fileformat2.html */
#define WRITE_VERSION 18
#define READ_VERSION 19
#define ROLLBACK_JOURNAL 1
#define WRITE_AHEAD_LOG 2

/* Returns whether the file with this suffix next to the database has content. */
static bool has_beside(const char *path, const char *suffix)
{
    char name[PATH_MAX];
    struct stat status;
    return folder_path_beside(path, suffix, name) && stat(name, &status) == 0 && status.st_size > 0;
}

/* Returns whether a program could be writing to the database. The write-ahead log has content from
 * the first write until the last connection is closed; an interrupted transaction leaves a journal.
 */
static bool is_in_use(const char *path)
{
    return has_beside(path, "-wal") || has_beside(path, "-journal");
}

static bool map_file(const char *path, struct read_only *file)
{
    struct stat status;
    int descriptor =
        /* opening a FIFO must not block */
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return false;
    void *map = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= HEADER_BYTES)
        map =
            mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (map == MAP_FAILED)
        return false;
    *file = (struct read_only){map, (size_t)status.st_size, status.st_mtim};
    return true;
}

/* Opens the mapping as an in-memory database. Such a database cannot have a write-ahead log, so the
 * header must not require one. Any other version number means damage, which SQLite detects. */
static int open_map(const struct read_only *file, sqlite3 **out)
{
    unsigned char *bytes = file->map;
    if (memcmp(bytes, "SQLite format 3", 16) == 0 && bytes[WRITE_VERSION] == WRITE_AHEAD_LOG &&
        bytes[READ_VERSION] == WRITE_AHEAD_LOG) {
        bytes[WRITE_VERSION] = ROLLBACK_JOURNAL;
        bytes[READ_VERSION] = ROLLBACK_JOURNAL;
    }
    int code = sqlite3_open_v2(":memory:", out, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_deserialize(*out, "main", bytes, (sqlite3_int64)file->bytes,
                                   (sqlite3_int64)file->bytes, 0);
    return code;
}

/* Opens a file that another program could be writing, or that cannot be mapped. Leaves the
 * write-ahead log to the other program, which moves the log into the database. */
static int open_in_use(const char *path, sqlite3 **out)
{
    int code = literal_path_open(path, SQLITE_OPEN_READWRITE, out);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(*out, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return code;
}

int read_only_open(const char *path, sqlite3 **out, struct read_only *file)
{
    *file = (struct read_only){0};
    int code =
        !is_in_use(path) && map_file(path, file) ? open_map(file, out) : open_in_use(path, out);
    if (code == SQLITE_OK)
        code = sqlite3_exec(*out, "PRAGMA query_only = ON", NULL, NULL, NULL);
    return code;
}

void read_only_close(sqlite3 *database, struct read_only *file)
{
    sqlite3_close(database);
    if (file->map)
        munmap(file->map, file->bytes);
    file->map = NULL;
}

bool read_only_has_changed(const char *path, const struct read_only *file)
{
    struct stat status;
    return file->map &&
           (stat(path, &status) != 0 || is_in_use(path) || (size_t)status.st_size != file->bytes ||
            memcmp(&status.st_mtim, &file->modified, sizeof file->modified) != 0);
}
