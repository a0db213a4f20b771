/* Transactions: each write has the writer lock and a stamp above every earlier one; each read is
 * told a time before which it lacks nothing (writer_lock.c says why that holds). */
#ifndef QSOSYNC_DATABASE_TRANSACTION_H
#define QSOSYNC_DATABASE_TRANSACTION_H

#include "database/database.h"

/* A consistent snapshot for everything read until the end. *now_ms comes in as the clock at the
 * start of the request and goes out as a time before which no write is missing from the snapshot.
 */
enum store_result transaction_begin_read(struct database *database, int64_t *now_ms);
struct write_times {
    int64_t previous_stamp_ms; /* of the last write before; 0: there was none */
    int64_t stamp_ms;      /* later than every earlier stamp, and than what any reader was told */
    int64_t written_at_ms; /* for people: the clock; the stamp if that is no later */
};

/* Takes the writer lock and opens a write transaction; waits for other writers for at most wait_ms
 * (STORE_BUSY; without a line in the log for 0). */
enum store_result transaction_begin_write(struct database *database, int64_t wait_ms,
                                          struct write_times *out);

/* With STORE_DONE everything since the beginning is on disk; otherwise nothing of it is. Either way
 * the writer lock is free again. */
enum store_result transaction_commit(struct database *database);
void transaction_rollback(struct database *database);

/* Commits and replaces the whole content with that of another database: readers see all of the
 * former content or all of the new one. The other one has the schema and page size of this one, and
 * a last stamp that is no earlier than this transaction's. */
enum store_result transaction_commit_copy(struct database *database, sqlite3 *from);

/* If a writer died or its commit failed, and that commit might still reappear: decides
 * the matter with a commit that only changes the stamp. Never waits. Call it now and then;
 * until it is done, readers get an older serverTime. */
void transaction_make_certain(struct database *database);

/* Writes the whole log over itself, so that the next sync puts all of it on the disk. To be called
 * inside a write transaction that has written nothing yet. */
enum store_result transaction_write_log_again(struct database *database);

#endif
