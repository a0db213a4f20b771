/* Files by their names: SQLite, as Debian builds it, takes "file:…" for a URI, whose "?" and "%"
 * have a meaning, and ":memory:" for no file at all. Every path of ours is the name of a file. */
#ifndef QSOSYNC_DATABASE_LITERAL_PATH_H
#define QSOSYNC_DATABASE_LITERAL_PATH_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>

/* What has to stand before a path where SQLite reads it, so that it is taken as it is. */
const char *literal_path_prefix(const char *path);

/* Whether something else than a file stands where SQLite will open one: the database, its log, the
 * log's index or its journal. SQLite would wait for a FIFO. Its name is written to `what`. */
bool literal_path_is_blocked(const char *path, char what[PATH_MAX]);

/* sqlite3_open_v2 for the file of that name, unless that is blocked; returns SQLite's code. The
 * caller closes *out, also after a failure. */
int literal_path_open(const char *path, int flags, sqlite3 **out);

#endif
