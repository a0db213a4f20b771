/* The write-ahead log as a file, for the case that parts of it are not on the disk and SQLite
 * cannot know it. */
#ifndef QSOSYNC_DATABASE_LOG_FILE_H
#define QSOSYNC_DATABASE_LOG_FILE_H

#include "database/database.h"

/* Writes the whole log over itself, so that the next sync puts all of it on the disk. To be called
 * inside a write transaction that has written nothing yet. */
enum store_result log_file_write_again(struct database *database);

#endif
