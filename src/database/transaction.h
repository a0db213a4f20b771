/* Transactions. Each write holds the writer lock and has a stamp above every earlier stamp. Each
 * read gets a time, and lacks no write from before that time (writer_lock.c explains why). */
#ifndef QSOSYNC_DATABASE_TRANSACTION_H
#define QSOSYNC_DATABASE_TRANSACTION_H

#include "database/database.h"

/* Opens a consistent snapshot for all reads until the end of the transaction. The caller sets
 * *now_ms to the clock at the start of the request. It becomes a time before which the snapshot
 * lacks no write. */
enum store_result transaction_begin_read(struct database *database, int64_t *now_ms);

/* Returns the serverTime of the open snapshot, from the time that transaction_begin_read returned
 * and the snapshot's last stamp. It is not below any stamp in the snapshot, nor below the
 * serverTime of any answer that was complete before the snapshot. */
int64_t transaction_server_time(const struct database *database, int64_t now_ms,
                                int64_t last_stamp_ms);

struct write_times {
    int64_t previous_stamp_ms; /* stamp of the previous write; 0: this write is the first */
    int64_t stamp_ms;      /* later than every earlier stamp and every time promised to a reader */
    int64_t written_at_ms; /* for people: the clock, or the stamp if it is earlier */
};

/* Takes the writer lock and opens a write transaction. Waits for other writers for at most wait_ms.
 * Returns STORE_BUSY after that time; if wait_ms is 0, without a line in the log. */
enum store_result transaction_begin_write(struct database *database, int64_t wait_ms,
                                          struct write_times *out);

/* Commits. After STORE_DONE, all changes since the beginning are on the disk; otherwise none of
 * them is. In both cases the writer lock is free again. */
enum store_result transaction_commit(struct database *database);
/* Rolls back, and frees the writer lock. */
void transaction_rollback(struct database *database);

/* Replaces the whole content with another database's content, and commits. Readers see either all
 * of the old content or all of the new. The other database must have the same schema and page size.
 * Its last stamp must not be earlier than this transaction's. */
enum store_result transaction_commit_copy(struct database *database, sqlite3 *from);

/* If a writer died or its commit failed, that commit might still reappear. This function settles it
 * with a commit that only changes the stamp. Never waits. Call it repeatedly: until it succeeds,
 * readers get an older serverTime. */
void transaction_make_certain(struct database *database);

#endif
