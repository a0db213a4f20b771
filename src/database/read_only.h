/* Files that are only read: backups, and a logbook that a command does not change; and paths as
 * SQLite takes them. */
#ifndef QSOSYNC_DATABASE_READ_ONLY_H
#define QSOSYNC_DATABASE_READ_ONLY_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A file that nobody has open for writing, as it was when it was opened. */
struct read_only {
    void *map; /* NULL: somebody has, so SQLite's locks keep readers and writers apart */
    size_t bytes;
    struct timespec modified;
};

/* Opens the file so that it stays byte for byte as it is. If nobody has it open for writing, no
 * file appears beside it either, and neither the file nor its folder or its medium needs to be
 * writable. Returns an SQLite result code; read_only_close follows whatever it is. */
int read_only_open(const char *path, sqlite3 **out, struct read_only *file);
void read_only_close(sqlite3 *database, struct read_only *file);

/* True if somebody has written to the file since; what was read from it is then not valid. */
bool read_only_has_changed(const char *path, const struct read_only *file);

/* Files by their names: SQLite, as Debian builds it, takes "file:…" for a URI, whose "?" and "%"
 * have a meaning, and ":memory:" for no file at all. Every path of ours is the name of a file. */

/* What has to stand before a path where SQLite reads it, so that it is taken as it is. */
const char *literal_path_prefix(const char *path);

/* Whether something else than a file stands where SQLite will open one: the database, its log, the
 * log's index or its journal. SQLite would wait for a FIFO. Its name is written to `what`. */
bool literal_path_is_blocked(const char *path, char what[PATH_MAX]);

/* sqlite3_open_v2 for the file of that name, unless that is blocked; returns SQLite's code. The
 * caller closes *out, also after a failure. */
int literal_path_open(const char *path, int flags, sqlite3 **out);

#endif
