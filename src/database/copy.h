/* Copies a whole database while other programs use it. */
#ifndef QSOSYNC_DATABASE_COPY_H
#define QSOSYNC_DATABASE_COPY_H

#include <sqlite3.h>

#include "base/arena.h"
#include "database/result.h"

/* Copies all content into another database, in one snapshot and one transaction. Writers are not
 * delayed, and their writes never make the copy start again. Returns an SQLite result code. */
int copy_database(sqlite3 *from, sqlite3 *to);

/* Copies all content into a new file. On success, the file is complete and on the disk. Returns
 * STORE_CONFLICT if the file already exists. A failed copy leaves no file. */
enum store_result copy_to_file(sqlite3 *from, const char *path);

#define COPY_KEPT_MAX 100 /* maximum number of copies that can be kept within one second */
/* part of a kept copy's name; the time in seconds follows */
#define COPY_KEPT_SUFFIX ".before-restore-"

/* Returns an unused path next to the logbook, in the arena. The path contains the current second:
 * FILE.before-restore-SECONDS, with a number at the end if another copy was kept in the same
 * second. On failure, writes a line to the system log and returns NULL. */
char *copy_name_kept(const char *logbook, struct arena *arena);

/* Copies the committed content of the logbook at this path to a new file next to the logbook. Sets
 * *kept to the new path, in the arena. The copy is written to the path `unfinished`, and is renamed
 * when it is complete. If the process is killed, the unfinished file remains. */
enum store_result copy_keep(const char *logbook, const char *unfinished, struct arena *arena,
                            char **kept);

/* Removes the copy and SQLite's files next to it. */
void copy_remove(const char *path);

#endif
