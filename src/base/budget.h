/* A budget of processor time, so that no request can keep a process busy without end, whatever it
 * has found to do that with.
 *
 * There is one budget a process. Waiting for a disk, a lock or a client costs nothing. */
#ifndef QSOSYNC_BASE_BUDGET_H
#define QSOSYNC_BASE_BUDGET_H

#include <stdint.h>

/* Called once the budget is used up, in the middle of whatever the process does, by a signal
 * handler: it may call what handlers may (signal-safety(7)), and ends the process. */
typedef void budget_exceeded(void);

/* From now on the process has so many milliseconds. */
void budget_begin(int64_t ms, budget_exceeded *exceeded);

/* A step was done that stands, and the next one has the whole budget again. Does nothing where none
 * was begun. */
void budget_renew(void);

/* No budget any more. */
void budget_end(void);

#endif
