/* How far long work has come, for a person who waits. */
#ifndef QSOSYNC_STORE_PROGRESS_H
#define QSOSYNC_STORE_PROGRESS_H

#include <sqlite3.h>
#include <stdint.h>

/* Lets statements of this connection tell that they are still at work. */
void progress_watch(sqlite3 *database);

/* What is done now, as "checking spots"; and how much of it is done, where that is known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

#endif
