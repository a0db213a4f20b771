/* Files by their names: SQLite, as Debian builds it, takes "file:…" for a URI, whose "?" and "%"
 * have a meaning, and ":memory:" for no file at all. Every path of ours is the name of a file. */
#ifndef QSOSYNC_STORE_LITERAL_PATH_H
#define QSOSYNC_STORE_LITERAL_PATH_H

#include <sqlite3.h>

/* What has to stand before a path where SQLite reads it, so that it is taken as it is. */
const char *literal_path_prefix(const char *path);

/* sqlite3_open_v2 for the file of that name; returns SQLite's code. The caller closes *out, also
 * after a failure. */
int literal_path_open(const char *path, int flags, sqlite3 **out);

#endif
