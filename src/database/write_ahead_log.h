/* The write-ahead log next to a database. */
#ifndef QSOSYNC_DATABASE_WRITE_AHEAD_LOG_H
#define QSOSYNC_DATABASE_WRITE_AHEAD_LOG_H

#include "database/database.h"

/* Records the length of the log in database->log_pages after each commit, and shortens a very long
 * log at once. */
void write_ahead_log_watch(struct database *database);

/* Moves the log into the database, up to the oldest snapshot in use. A failure is logged. */
void write_ahead_log_shorten(struct database *database);

/* Writes the whole log over itself, so that the next sync puts all of it on the disk. Call it
 * inside a write transaction that has not written yet. */
enum store_result write_ahead_log_rewrite(struct database *database);

#endif
