/* Reads the clocks, mainly when a request arrives, for the stamp of a writer that holds the lock,
 * and for log lines. Most other code receives the time as an argument. */
#ifndef QSOSYNC_BASE_CLOCK_H
#define QSOSYNC_BASE_CLOCK_H

#include <stdint.h>

/* Returns whole milliseconds since 1970-01-01T00:00:00Z, rounded down. Setting the clock moves this
 * time forward or back. */
int64_t clock_wall_ms(void);

/* Returns milliseconds of a monotonic clock, which starts at or after the last boot and is the same
 * for all processes. */
int64_t clock_monotonic_ms(void);

/* Returns the time since the last boot in milliseconds, rounded to whole seconds, including
 * suspended time, or 0 if the time is unknown. Setting the clock does not change the result. */
int64_t clock_uptime_ms(void);

#endif
