/* The progress of long work, for a person who waits. */
#ifndef QSOSYNC_DATABASE_PROGRESS_H
#define QSOSYNC_DATABASE_PROGRESS_H

#include <sqlite3.h>
#include <stdint.h>

/* From now on long work of this process calls show now and then: with what is being done (NULL: no
 * word for it), how many steps of it are done, and of how many (0: not known). To be set before a
 * database is opened. */
void progress_show(void (*show)(const char *phase, int64_t done, int64_t total));

/* Lets statements of this connection report that they are still running. */
void progress_watch(sqlite3 *database);

/* The present phase, such as "checking spots"; and how much of it is done, where that is known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

/* The present phase is a statement that takes about so many instructions of SQLite's virtual
 * machine: what is done is counted in them, and stays below the whole where there are more. */
void progress_expect(int64_t instructions);

#endif
