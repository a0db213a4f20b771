/* Transactions. Each write holds the writer lock and has a stamp above every earlier one. Each read
 * gets a time before which it lacks nothing (writer_lock.c explains why). */
#ifndef QSOSYNC_DATABASE_TRANSACTION_H
#define QSOSYNC_DATABASE_TRANSACTION_H

#include "database/database.h"

/* Opens a consistent snapshot for all reads until the end. The caller sets *now_ms to the clock at
 * the start of the request; it becomes a time before which the snapshot lacks no write. */
enum store_result transaction_begin_read(struct database *database, int64_t *now_ms);

/* The serverTime of the open snapshot, for the time that transaction_begin_read returned and the
 * snapshot's last stamp: below no stamp of the snapshot, and below no serverTime of an answer that
 * was complete before the snapshot. */
int64_t transaction_server_time(const struct database *database, int64_t now_ms,
                                int64_t last_stamp_ms);

struct write_times {
    int64_t previous_stamp_ms; /* stamp of the last write before this one; 0: the first write */
    int64_t stamp_ms;          /* later than every earlier stamp and every time given to a reader */
    int64_t written_at_ms;     /* for people: the clock, or the stamp if it is not later */
};

/* Takes the writer lock and opens a write transaction. Waits for other writers for at most wait_ms
 * (STORE_BUSY; for 0, without a line in the log). */
enum store_result transaction_begin_write(struct database *database, int64_t wait_ms,
                                          struct write_times *out);

/* After STORE_DONE, everything since the beginning is on disk; otherwise, nothing of it is. Either
 * way the writer lock is free again. */
enum store_result transaction_commit(struct database *database);
void transaction_rollback(struct database *database);

/* Commits, and replaces the whole content with that of another database. Readers see either all of
 * the old content or all of the new. The other database must have the same schema and page size.
 * Its last stamp must not be earlier than this transaction's. */
enum store_result transaction_commit_copy(struct database *database, sqlite3 *from);

/* If a writer died or its commit failed, that commit might still reappear. This settles it with a
 * commit that only changes the stamp. Never waits. Call it now and then; until it succeeds, readers
 * get an older serverTime. */
void transaction_make_certain(struct database *database);

/* Writes the whole log over itself, so that the next sync puts all of it on the disk. Call it
 * inside a write transaction that has written nothing yet. */
enum store_result transaction_write_log_again(struct database *database);

#endif
