/* Watches, shortens and rewrites the write-ahead log next to a database. */
#ifndef QSOSYNC_DATABASE_WRITE_AHEAD_LOG_H
#define QSOSYNC_DATABASE_WRITE_AHEAD_LOG_H

#include "database/database.h"

/* Records the length of the write-ahead log in database->log_pages after each commit, and shortens
 * a very long log at once. */
void write_ahead_log_watch(struct database *database);

/* Moves the write-ahead log into the database, up to the oldest snapshot in use. A failure other
 * than a taken lock is logged. */
void write_ahead_log_shorten(struct database *database);

/* Rewrites the whole write-ahead log with the same bytes, so that the next sync puts the whole log
 * on the disk. Call this function inside a write transaction that has not yet written anything. */
enum store_result write_ahead_log_rewrite(struct database *database);

#endif
