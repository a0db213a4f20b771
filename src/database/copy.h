/* Copies a whole database into another, with SQLite's online backup. */
#ifndef QSOSYNC_DATABASE_COPY_H
#define QSOSYNC_DATABASE_COPY_H

#include <sqlite3.h>
#include <stdint.h>

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

/* The progress of long work, for a person who waits. */

/* Makes long work of this process call `show` now and then. Its arguments are the phase (NULL:
 * without a name), the steps done, and the total (0: unknown). Call this before a database is
 * opened. */
void progress_show(void (*show)(const char *phase, int64_t done, int64_t total));

/* Lets statements of this connection report that they are still running. */
void progress_watch(sqlite3 *database);

/* Set the present phase, such as "checking spots", and its progress, if known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

/* The present phase is a statement of about this many instructions of SQLite's virtual machine.
 * They measure its progress, which stays below the total even if the statement needs more. */
void progress_expect(int64_t instructions);

#endif
