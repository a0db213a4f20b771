/* SQLite's own read-only modes make files beside a database that uses a write-ahead log, or fail
 * if they cannot, and do not check CHECK constraints. A file that has no log beside it is
 * complete in itself: it is mapped into memory, and SQLite works on the mapping, which is never
 * written to the file. */
#include "database/read_only.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

#define HEADER_BYTES 100 /* of a database file: https://www.sqlite.org/fileformat2.html */
#define WRITE_VERSION 18
#define READ_VERSION 19
#define ROLLBACK_JOURNAL 1
#define WRITE_AHEAD_LOG 2

/* Whether the file beside it with this suffix has content. */
static bool has_beside(const char *path, const char *suffix)
{
    char name[PATH_MAX];
    struct stat status;
    return folder_path_beside(path, suffix, name) && stat(name, &status) == 0 && status.st_size > 0;
}

/* The log exists while a connection is open that has read or written; an interrupted transaction
 * leaves its journal. */
static bool is_in_use(const char *path)
{
    return has_beside(path, "-wal") || has_beside(path, "-journal");
}

static bool map_file(const char *path, struct read_only *file)
{
    struct stat status;
    int descriptor =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* it may be a FIFO */
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

/* A database in memory cannot have a write-ahead log, and this file has none. Other versions are
 * damage, which SQLite finds. */
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

/* The log belongs to the program that writes to the file. */
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
    if (!file->map)
        return false;
    return stat(path, &status) != 0 || is_in_use(path) || (size_t)status.st_size != file->bytes ||
           status.st_mtim.tv_sec != file->modified.tv_sec ||
           status.st_mtim.tv_nsec != file->modified.tv_nsec;
}

/* Makes a path that SQLite reads as a path and nothing else: it recognises a URI or a database in
 * memory by the first characters, and never takes a slash or a dot for one. The file need not
 * exist. */

const char *literal_path_prefix(const char *path)
{
    return *path == '/' ? "" : "./";
}

bool literal_path_is_blocked(const char *path, char what[PATH_MAX])
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    if (!folder_path_beside(path, "", what))
        return false;
    char *end = what + strlen(what);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(end, (size_t)(what + PATH_MAX - end), "%s", suffixes[i]);
        if (folder_has_no_file(what))
            return true;
    }
    return false;
}

int literal_path_open(const char *path, int flags, sqlite3 **out)
{
    char blocked[PATH_MAX];
    *out = NULL;
    if (literal_path_is_blocked(path, blocked))
        return SQLITE_CANTOPEN;
    char *name = sqlite3_mprintf("%s%s", literal_path_prefix(path), path);
    int code = name ? sqlite3_open_v2(name, out, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}
