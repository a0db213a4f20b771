/* Copies a whole database into another, with SQLite's online backup. */
#ifndef QSOSYNC_DATABASE_COPY_H
#define QSOSYNC_DATABASE_COPY_H

#include <sqlite3.h>

#include "base/arena.h"
#include "database/result.h"

/* Copies everything within one snapshot and one transaction. Writers are not delayed, and their
 * writes never make the copy start again. Returns an SQLite result code. */
int copy_database(sqlite3 *from, sqlite3 *to);

/* The same into a new file, which is then complete and on the disk. STORE_CONFLICT: the file
 * already exists. A failed copy leaves no file. */
enum store_result copy_to_file(sqlite3 *from, const char *path);

#define COPY_KEPT_MAX 100                   /* per second */
#define COPY_KEPT_SUFFIX ".before-restore-" /* followed by the second */

/* An unused path next to the logbook, named after the present second: FILE.before-restore-SECONDS,
 * in the arena. NULL after a line in the log. */
char *copy_name_kept(const char *logbook, struct arena *arena);

/* Copies the committed content of the logbook at this path to a file next to it; *kept is the new
 * path, in the arena. The copy is first called `unfinished`, and is renamed when it is complete,
 * under the writer lock. A killed process leaves the unfinished file. */
enum store_result copy_keep(const char *logbook, const char *unfinished, struct arena *arena,
                            char **kept);

/* Removes the copy and SQLite's files next to it. */
void copy_remove(const char *path);

#endif
