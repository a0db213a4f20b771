/* Reports the progress of long work to a waiting person. */
#ifndef QSOSYNC_BASE_PROGRESS_H
#define QSOSYNC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes long work of this process call `show` from time to time. The arguments are the phase (NULL:
 * without a name), the steps done, and the total (0: unknown). Call progress_show before a database
 * is opened. */
void progress_show(void (*show)(const char *phase, int64_t done, int64_t total));

/* Returns whether progress_show has set a function. */
bool progress_is_shown(void);

/* Set the current phase, such as "checking spots", and the progress in that phase, if known. */
void progress_begin(const char *phase);
void progress_step(int64_t done, int64_t total);

/* Announce that the current phase takes about `ticks` ticks, and count a tick. The progress stays
 * below the total even if more ticks are counted. */
void progress_expect(int64_t ticks);
void progress_tick(void);

#endif
