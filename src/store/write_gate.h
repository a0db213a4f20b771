/* The write gate: a lock file beside the database through which every writer passes, and one page
 * of shared memory in it by which readers learn what is on its way to the disk. */
#ifndef QSOSYNC_STORE_WRITE_GATE_H
#define QSOSYNC_STORE_WRITE_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate_page;

struct write_gate {
    int file; /* -1: not open */
    struct gate_page *page;
};

/* Opens or makes the gate of a database, with the database file's owner and mode. Returns false,
 * with errno set, when that cannot be done. */
bool write_gate_open(struct write_gate *gate, const char *database_path);
void write_gate_close(struct write_gate *gate);

/* Waits in the kernel for at most wait_ms. Returns false when the gate was not free in time, or
 * with errno other than ETIMEDOUT when locking failed. */
bool write_gate_enter(struct write_gate *gate, int64_t wait_ms);

/* Inside the gate, before anything is written: the stamp of this write, above last_stamp_ms. */
int64_t write_gate_stamp(struct write_gate *gate, int64_t last_stamp_ms);

/* After the commit or rollback. */
void write_gate_leave(struct write_gate *gate);

/* For a reader, before it opens its snapshot: the serverTime that it may promise, at most now_ms.
 */
int64_t write_gate_read_time(struct write_gate *gate, int64_t now_ms);

#endif
