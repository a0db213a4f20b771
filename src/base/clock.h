/* The clocks. They are read when a request arrives, by a writer that holds the lock, for the stamp
 * of what it writes, and for the lines of a log; all other code is given the time as an argument.
 */
#ifndef QSOSYNC_BASE_CLOCK_H
#define QSOSYNC_BASE_CLOCK_H

#include <stdint.h>

/* Whole milliseconds since 1970-01-01T00:00:00Z, rounded down. May step in either direction. */
int64_t clock_wall_ms(void);

/* Milliseconds since some moment at or after the last boot; never runs back; the same in all
 * processes. */
int64_t clock_monotonic_ms(void);

#endif
