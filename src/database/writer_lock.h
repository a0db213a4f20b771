/* The writer lock: a lock file beside the database that every writer locks, with one page of shared
 * memory from which readers learn what is being written to the disk. */
#ifndef QSOSYNC_DATABASE_WRITER_LOCK_H
#define QSOSYNC_DATABASE_WRITER_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shared_file.h"

/* The file of the lock, beside the logbook. It keeps the name that older releases gave it: their
 * workers lock it while the programs are replaced. */
#define WRITER_LOCK_SUFFIX "-gate"

struct writer_page;

struct writer_lock {
    struct shared_file shared;
    struct writer_page *page;
    uint64_t boot;        /* of the machine, as a number */
    int64_t inherited_ms; /* in_flight as this holder of the lock found it */
};

/* The outcome of a write, as far as the write-ahead log is concerned. */
enum write_end {
    WRITE_COMMITTED, /* on the disk, and in every snapshot from now on */
    WRITE_UNDONE,    /* rolled back, or never begun: it has put no commit into the log */
    WRITE_UNCERTAIN, /* its commit failed but may still be in the log */
};

/* Opens or makes the lock file of a database, without waiting for anybody. Returns false, with
 * errno set, when that cannot be done. */
bool writer_lock_open(struct writer_lock *lock, const char *database_path);
void writer_lock_close(struct writer_lock *lock);

/* Waits in the kernel for at most wait_ms. Returns false when the lock was not free in time, or
 * with errno other than ETIMEDOUT when locking failed. */
bool writer_lock_enter(struct writer_lock *lock, int64_t wait_ms);

/* With the lock held, before anything is written: the stamp of this write, above last_stamp_ms,
 * which is the last one in the database. */
int64_t writer_lock_stamp(struct writer_lock *lock, int64_t last_stamp_ms);

/* After the commit or rollback, by the holder of the lock. */
void writer_lock_leave(struct writer_lock *lock, enum write_end end);

/* True while a writer is at work, and after one that died or failed: its commit may come back until
 * another commit has ended well. */
bool writer_lock_is_in_flight(const struct writer_lock *lock);

/* For a snapshot with this last stamp: false while it may have a commit that is not on the disk,
 * which a power cut could take away from a reader who was shown it. */
bool writer_lock_is_safe(const struct writer_lock *lock, int64_t last_stamp_ms);

/* With the lock held: true if an earlier writer died or failed, and this one must recover. */
bool writer_lock_is_inherited(const struct writer_lock *lock);

/* For a reader, before it opens its snapshot: the serverTime that it may promise, at most now_ms.
 * *certain is set if the snapshot's last stamp may be promised instead, however far ahead of the
 * clock it is. */
int64_t writer_lock_read_time(struct writer_lock *lock, int64_t now_ms, bool *certain);

#endif
