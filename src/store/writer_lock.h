/* The writer lock: a lock file beside the database through which every writer passes, and one page
 * of shared memory in it by which readers learn what is on its way to the disk. */
#ifndef QSOSYNC_STORE_WRITER_LOCK_H
#define QSOSYNC_STORE_WRITER_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct gate_page;

struct writer_lock {
    int file; /* -1: not open */
    struct gate_page *page;
};

/* Opens or makes the gate of a database, with the database file's owner and mode. Returns false,
 * with errno set, when that cannot be done. */
bool writer_lock_open(struct writer_lock *gate, const char *database_path);
void writer_lock_close(struct writer_lock *gate);

/* Waits in the kernel for at most wait_ms. Returns false when the gate was not free in time, or
 * with errno other than ETIMEDOUT when locking failed. */
bool writer_lock_enter(struct writer_lock *gate, int64_t wait_ms);

/* Inside the gate, before anything is written: the stamp of this write, above last_stamp_ms. */
int64_t writer_lock_stamp(struct writer_lock *gate, int64_t last_stamp_ms);

/* After the commit or rollback. */
void writer_lock_leave(struct writer_lock *gate);

/* For a reader, before it opens its snapshot: the serverTime that it may promise, at most now_ms.
 */
int64_t write_gate_read_time(struct writer_lock *gate, int64_t now_ms);

#endif
