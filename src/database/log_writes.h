/* Few large writes into the write-ahead log at a commit. */
#ifndef QSOSYNC_DATABASE_LOG_WRITES_H
#define QSOSYNC_DATABASE_LOG_WRITES_H

#include <sqlite3.h>

/* The name of the VFS that a connection is opened with, so that the functions below have an effect
 * on it; NULL, which is SQLite's own, where that one cannot be had. */
const char *log_writes_vfs(void);

/* Around COMMIT, and nothing else: what SQLite writes into the log in between goes into the file in
 * large pieces, all of it before the log is synced or anybody is shown the commit. What a failed
 * COMMIT has not yet written by log_writes_end is never written. */
void log_writes_begin(sqlite3 *handle);
void log_writes_end(sqlite3 *handle);

#endif
