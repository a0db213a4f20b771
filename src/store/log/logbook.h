/* Opens, reads and maintains the whole logbook.
 *
 * Callers use the service's own terms; only the store deals with SQL, statements, locks and the
 * file's layout. A failure is logged once, where it is detected. Functions that can fail return an
 * enum store_result, and set output parameters only if the result is STORE_DONE.
 *
 * A read uses a snapshot, and a write uses a transaction (transaction.h):
 *
 *     store_open(path, opening, &store)
 *     store_begin_read(store, &now_ms)      then lists and find functions
 *     store_end_read(store)
 *     store_checkpoint(store)               between requests
 *     store_close(store) */
#ifndef QSOSYNC_STORE_LOGBOOK_H
#define QSOSYNC_STORE_LOGBOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"

/* An open logbook. A process can have several logbooks open, all in one thread. */
struct store;

/* Opens the database. Updates an older schema, in a private copy for OPEN_READ_ONLY. For
 * OPEN_TO_FOLLOW, an older schema is STORE_BROKEN instead. Statements are prepared when they are
 * first used. Functions that write must not be called after OPEN_READ_ONLY or OPEN_TO_FOLLOW.
 * Returns STORE_NEWER if the schema is newer than this program, and STORE_FOREIGN if the file is
 * not a logbook. */
enum store_result store_open(const char *path, enum opening opening, struct store **out);

/* Prepares every statement now, to check that the schema has everything that this program needs. If
 * something is missing, a line in the system log names the missing object, and the result is
 * STORE_BROKEN. */
enum store_result store_prepare(struct store *store);

/* Closes the logbook, and frees the store. NULL is allowed. */
void store_close(struct store *store);

/* Returns whether an older schema was updated when the logbook was opened. */
bool store_was_brought_forward(const struct store *store);

/* Returns whether SQLite has reported damage to this process: SQLITE_CORRUPT, SQLITE_NOTADB, or a
 * failed integrity check. Failures of disks, permissions, locks and our own rules do not count. */
bool store_has_found_damage(void);

/* Sets the maximum time for which a write waits for other writers (default 10,000 ms). */
void store_set_write_wait(struct store *store, int64_t wait_ms);

/* Returns whether the store is still the logbook at this path. Returns false if the store was
 * opened with another path, if another file has replaced the logbook, or if a write found a changed
 * schema. */
bool store_is_current(const struct store *store, const char *path);

/* Maintains the file. Call this function between requests, when no client is waiting; NULL is
 * allowed. Settles a commit that a dead or failed writer left in the write-ahead log, and moves a
 * long write-ahead log into the database. Unmaps pages of the file if many are mapped, so that a
 * worker's memory stays small even if the logs are large. */
void store_checkpoint(struct store *store);

/* Opens a consistent snapshot for all reads until store_end_read. The caller sets *now_ms to the
 * clock at the start of the request. If necessary, the function changes *now_ms, so that the
 * snapshot contains every write from before that time. */
enum store_result store_begin_read(struct store *store, int64_t *now_ms);
void store_end_read(struct store *store);

/* Returns the serverTime for the client, from the time that store_begin_read returned and the
 * snapshot's last stamp. serverTime is not earlier than any stamp in the snapshot, but earlier than
 * the stamp of every write that the snapshot lacks. serverTime never decreases from one answer to
 * the next. While a write is active, serverTime can be behind the clock. */
int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms);

/* Records which commits are visible now, before a query. If another file has replaced the logbook,
 * store_is_current detects this. */
void store_record_commits(struct store *store);

/* Returns whether another program has committed anything since store_record_commits. Also returns
 * true if this cannot be determined. */
bool store_has_commits(const struct store *store);

/* Makes long tasks in this process call `show` from time to time. The arguments are the task (NULL:
 * unnamed), the steps done so far, and their total (0: unknown). Call this function before a
 * database is opened. */
void store_show_progress(void (*show)(const char *phase, int64_t done, int64_t total));

#endif
