/* Copies a whole database into another, by SQLite's online backup. */
#ifndef QSOSYNC_DATABASE_COPY_H
#define QSOSYNC_DATABASE_COPY_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/arena.h"
#include "database/result.h"

/* Copies everything within one snapshot and one transaction: writers are not held up, and the copy
 * never has to start again because of them. Returns an SQLite result code. */
int copy_database(sqlite3 *from, sqlite3 *to);

/* The same into a new file, which is on the disk then, complete in itself. STORE_CONFLICT: the file
 * exists already. A failed copy leaves no file. */
enum store_result copy_to_file(sqlite3 *from, const char *path);

#define COPY_KEPT_MAX 100                   /* in one second */
#define COPY_KEPT_SUFFIX ".before-restore-" /* followed by the second */

/* A path beside the logbook that is named after the moment, FILE.before-restore-SECONDS, and where
 * nothing is yet, in the arena. NULL after a line in the log. */
char *copy_name_kept(const char *logbook, struct arena *arena);

/* Copies the logbook of this path, as far as it is committed, to a file beside it; *kept is its
 * path, in the arena. It gets that name when it is whole, under the writer lock, and is called
 * `unfinished` before, which a process that is killed leaves. */
enum store_result copy_keep(const char *logbook, const char *unfinished, struct arena *arena,
                            char **kept);

/* Removes the copy and what SQLite keeps beside it. */
void copy_remove(const char *path);

/* The progress of long work, for a person who waits. */

/* From now on long work of this process calls show now and then: with what is being done (NULL: no
 * word for it), how many steps of it are done, and of how many (0: not known). To be set before a
 * database is opened. */
void progress_show(void (*show)(const char *phase, int64_t done, int64_t total));

/* Lets statements of this connection report that they are still running. */
void progress_watch(sqlite3 *database);

/* The present phase, such as "checking spots"; and how much of it is done, if that is known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

/* The present phase is a statement that takes about so many instructions of SQLite's virtual
 * machine: what is done is counted in them, and stays below the whole if there are more. */
void progress_expect(int64_t instructions);

#endif
