/* Care of an open database. */
#ifndef QSOSYNC_DATABASE_CHECKPOINT_H
#define QSOSYNC_DATABASE_CHECKPOINT_H

#include "database/database.h"

#define CHECKPOINT_MAP_FILE "PRAGMA mmap_size = 1073741824"

/* Notes after each commit how long the log is; one that grows far too long is shortened at once. */
void checkpoint_watch_log(struct database *database);

/* To be called between requests, when nobody waits: sees to what a writer that died has left in the
 * write-ahead log, moves a long one into the database, and gives mapped pages of the file back to
 * the system once they are many, so that a worker stays small however large the logs are that it
 * reads. */
void checkpoint_run(struct database *database);

#endif
