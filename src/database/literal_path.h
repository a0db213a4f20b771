/* Opens files by their literal paths. SQLite, as built by Debian, reads "file:…" as a URI and
 * ":memory:" as a database without a file. */
#ifndef QSOSYNC_DATABASE_LITERAL_PATH_H
#define QSOSYNC_DATABASE_LITERAL_PATH_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>

/* Opens the file with sqlite3_open_v2, and returns the result code. Fails if this name, or the name
 * of one of SQLite's files next to the file, belongs to something other than a regular file. The
 * caller must close *out, even after a failure. */
int literal_path_open(const char *path, int flags, sqlite3 **out);

/* Returns whether the database, its write-ahead log, the log's index or the database's journal
 * exists but is not a regular file. Sets `what` to that file's name. If the file were a FIFO,
 * SQLite would wait for it. */
bool literal_path_is_blocked(const char *path, char what[PATH_MAX]);

#endif
