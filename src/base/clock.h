/* The clocks, and a budget of processor time. The clocks are read when a request arrives, by a
 * writer that holds the lock, for the stamp of what it writes, and for the lines of a log; all
 * other code is given the time as an argument.
 */
#ifndef QSOSYNC_BASE_CLOCK_H
#define QSOSYNC_BASE_CLOCK_H

#include <stdint.h>

/* Whole milliseconds since 1970-01-01T00:00:00Z, rounded down. May step in either direction. */
int64_t clock_wall_ms(void);

/* Monotonic milliseconds since some moment at or after the last boot; the same in all
 * processes. */
int64_t clock_monotonic_ms(void);

/* Milliseconds since the last boot, in whole seconds, including the time in suspend. Setting the
 * clock does not change it. 0: not known. */
int64_t clock_uptime_ms(void);

/* A budget of processor time, so that no request can keep a process busy without end, whatever
 * the cause.
 *
 * There is one budget a process. Waiting for a disk, a lock or a client costs nothing. */

/* Called once the budget is used up, in the middle of whatever the process does, by a signal
 * handler: it may call what handlers may (signal-safety(7)), and ends the process. */
typedef void budget_exceeded(void);

/* From now on the process has so many milliseconds. */
void budget_begin(int64_t ms, budget_exceeded *exceeded);

/* A step is complete, and the next one gets the full budget again. Does nothing if none
 * was begun. */
void budget_renew(void);

/* No budget any more. */
void budget_end(void);

#endif
