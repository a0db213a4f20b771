/* Locks a file next to the database, so that only one writer is active at a time. The file's only
 * page is shared memory, and shows readers which writes may not be on the disk yet. */
#ifndef QSOSYNC_DATABASE_WRITER_LOCK_H
#define QSOSYNC_DATABASE_WRITER_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shared_file.h"

/* The suffix of the lock file next to the logbook. The old name is kept, because workers of older
 * releases lock this file while the programs are being replaced. */
#define WRITER_LOCK_SUFFIX "-gate"

struct writer_page;

struct writer_lock {
    struct shared_file shared;
    struct writer_page *page;
    uint64_t boot;        /* number that identifies the machine's boot */
    int64_t inherited_ms; /* value of in_flight when this writer took the lock */
};

/* The effect of a write on the write-ahead log. */
enum write_end {
    WRITE_COMMITTED, /* the commit is on the disk, and in every later snapshot */
    WRITE_UNDONE, /* the write was rolled back or never begun: no commit in the write-ahead log */
    WRITE_UNCERTAIN, /* the commit failed, but can still be in the write-ahead log */
};

/* Opens or creates the database's lock file without waiting. Returns false, with errno set, on
 * failure. */
bool writer_lock_open(struct writer_lock *lock, const char *database_path);
void writer_lock_close(struct writer_lock *lock);

/* Takes the lock. Waits for the lock in the kernel, at most wait_ms. If the lock was not free in
 * time, returns false with errno ETIMEDOUT. If locking failed, returns false with another errno. */
bool writer_lock_enter(struct writer_lock *lock, int64_t wait_ms);

/* Returns the stamp of this write. The stamp is above last_stamp_ms, the database's last stamp.
 * Call this function with the lock held, before anything is written. */
int64_t writer_lock_stamp(struct writer_lock *lock, int64_t last_stamp_ms);

/* Frees the lock after the commit or rollback. */
void writer_lock_leave(struct writer_lock *lock, enum write_end end);

/* Returns whether a writer is active, has died or has failed. A dead writer's commit can reappear
 * until another commit has succeeded. */
bool writer_lock_is_in_flight(const struct writer_lock *lock);

/* Returns whether readers may see a snapshot with this last stamp. Returns false while the snapshot
 * can contain a commit that is not on the disk. A power cut could remove such a commit after a
 * reader has seen it. */
bool writer_lock_is_safe(const struct writer_lock *lock, int64_t last_stamp_ms);

/* Returns whether an earlier writer died or failed, so that this writer must rewrite the
 * write-ahead log. Call this function with the lock held. */
bool writer_lock_is_inherited(const struct writer_lock *lock);

/* Returns a time that a reader may send to a client as serverTime. Call this function before the
 * snapshot is opened. The result is now_ms, or the time of an active write, but never less than an
 * earlier serverTime. If *certain is set, the whole snapshot is on the disk. */
int64_t writer_lock_read_time(struct writer_lock *lock, int64_t now_ms, bool *certain);

/* Records the serverTime that a reader sends to a client, so that no later serverTime is less. */
void writer_lock_note_told(const struct writer_lock *lock, int64_t time_ms);

#endif
