/* Maintenance of an open database between requests. */
#ifndef QSOSYNC_DATABASE_CHECKPOINT_H
#define QSOSYNC_DATABASE_CHECKPOINT_H

#include "database/database.h"

#define CHECKPOINT_MAP_FILE "PRAGMA mmap_size = 1073741824"
#define CHECKPOINT_UNMAP_FILE "PRAGMA mmap_size = 0"

/* Makes a dead writer's commit certain, and moves a long write-ahead log into the database. Also
 * releases mapped pages of the file once there are many, so that a worker stays small even if it
 * reads large logs. Call it only when no client waits. */
void checkpoint_run(struct database *database);

#endif
