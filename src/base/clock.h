/* The clocks, and a budget of processor time. The clocks are read when a request arrives, by a
 * writer that holds the lock, for the stamp of its write, and for log lines. All other code
 * receives the time as an argument. */
#ifndef QSOSYNC_BASE_CLOCK_H
#define QSOSYNC_BASE_CLOCK_H

#include <stdint.h>

/* Whole milliseconds since 1970-01-01T00:00:00Z, rounded down. May step in either direction. */
int64_t clock_wall_ms(void);

/* Monotonic milliseconds since some moment at or after the last boot, the same for all processes.
 */
int64_t clock_monotonic_ms(void);

/* Milliseconds since the last boot, in whole seconds, including suspended time. Setting the clock
 * does not change it. 0: unknown. */
int64_t clock_uptime_ms(void);

/* A budget of processor time, so that no request can keep a process busy without end, whatever the
 * cause.
 *
 * Each process has one budget. Waiting for a disk, a lock or a client uses none of it. */

/* Called by a signal handler when the budget is used up, whatever the process is doing. It may call
 * only functions that are safe in handlers (signal-safety(7)), and ends the process. */
typedef void budget_exceeded(void);

/* Gives the process this many milliseconds from now on. */
void budget_begin(int64_t ms, budget_exceeded *exceeded);

/* Ends a step: the next one gets the full budget again. Does nothing without a budget. */
void budget_renew(void);

/* Removes the budget. */
void budget_end(void);

#endif
