/* Begins and ends transactions. Each write holds the writer lock and has a stamp above every
 * earlier stamp. Each read gets a time, and sees every write from before that time (writer_lock.c
 * explains why). */
#ifndef QSOSYNC_DATABASE_TRANSACTION_H
#define QSOSYNC_DATABASE_TRANSACTION_H

#include "database/database.h"

/* Opens a consistent snapshot for all reads until the end of the transaction. The caller sets
 * *now_ms to the clock at the start of the request. The function sets *now_ms to a time, and the
 * snapshot contains every write from before that time. */
enum store_result transaction_begin_read(struct database *database, int64_t *now_ms);

/* Returns the serverTime of the open snapshot. The serverTime depends on now_ms, which
 * transaction_begin_read has set, and on the snapshot's last stamp. The serverTime is never less
 * than a stamp in the snapshot, or than the serverTime of an answer that was complete before the
 * snapshot. */
int64_t transaction_server_time(const struct database *database, int64_t now_ms,
                                int64_t last_stamp_ms);

struct write_times {
    int64_t previous_stamp_ms; /* stamp of the previous write; 0: this write is the first */
    /* stamp of this write, above every earlier stamp and every serverTime sent to a client */
    int64_t stamp_ms;
    /* time of this write for people: the stamp, or the clock if the stamp is ahead of the clock */
    int64_t written_at_ms;
};

/* Takes the writer lock and opens a write transaction. Waits at most wait_ms for other writers, and
 * then returns STORE_BUSY; if wait_ms is 0, a taken lock is not logged. Also returns STORE_BUSY if
 * another file has replaced the database. */
enum store_result transaction_begin_write(struct database *database, int64_t wait_ms,
                                          struct write_times *out);

/* Commits the transaction, and frees the writer lock. If the result is STORE_DONE, all changes in
 * the transaction are on the disk. Otherwise, readers see none of the changes, but the failed
 * commit can reappear (transaction_make_certain). */
enum store_result transaction_commit(struct database *database);
/* Rolls the transaction back, and frees the writer lock. */
void transaction_rollback(struct database *database);

/* Replaces the whole content with another database's content, and commits. Readers see either all
 * of the old content or all of the new content. The other database must have the same schema and
 * page size. Its last stamp must not be earlier than this transaction's stamp. */
enum store_result transaction_commit_copy(struct database *database, sqlite3 *from);

/* Settles a commit that could still reappear, because its writer died or the commit failed. A
 * commit that changes nothing syncs or replaces the uncertain commit. Never waits. Call this
 * function repeatedly: until it succeeds, readers get an older serverTime. */
void transaction_make_certain(struct database *database);

#endif
