/* The progress of long work, for a person who waits. */
#ifndef QSOSYNC_STORE_PROGRESS_H
#define QSOSYNC_STORE_PROGRESS_H

#include <sqlite3.h>
#include <stdint.h>

/* Lets statements of this connection report that they are still running. */
void progress_watch(sqlite3 *database);

/* The present phase, such as "checking spots"; and how much of it is done, where that is known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

#endif
