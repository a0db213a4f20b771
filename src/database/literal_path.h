/* Files by their names. SQLite, as Debian builds it, takes "file:…" for a URI and ":memory:" for a
 * database without a file. Our paths are always names of files. */
#ifndef QSOSYNC_DATABASE_LITERAL_PATH_H
#define QSOSYNC_DATABASE_LITERAL_PATH_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>

/* sqlite3_open_v2 for the file of that name, unless something other than a regular file has this
 * name or one of SQLite's; returns SQLite's code. The caller must close *out, even after a failure.
 */
int literal_path_open(const char *path, int flags, sqlite3 **out);

/* Whether SQLite would find something other than a regular file: as the database, its log, the
 * log's index or its journal. SQLite would wait for a FIFO. Its name is written to `what`. */
bool literal_path_is_blocked(const char *path, char what[PATH_MAX]);

#endif
