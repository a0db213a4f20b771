/* Maintains an open database between requests. */
#ifndef QSOSYNC_DATABASE_CHECKPOINT_H
#define QSOSYNC_DATABASE_CHECKPOINT_H

#include "database/database.h"

#define CHECKPOINT_MAP_FILE "PRAGMA mmap_size = 1073741824"
#define CHECKPOINT_UNMAP_FILE "PRAGMA mmap_size = 0"

/* Settles a commit that a dead or failed writer left (transaction_make_certain), and moves a long
 * write-ahead log into the database. Also releases the file's mapped pages once there are many, so
 * that a worker's memory stays small even if the worker reads large logs. Call this function only
 * when no client is waiting. */
void checkpoint_run(struct database *database);

#endif
