/* A budget of processor time, so that no request can keep a process busy indefinitely.
 *
 * Each process has one budget. Waiting for a disk, a lock or a client uses none of it. A worker
 * calls budget_begin once per request, and budget_renew after each step. */
#ifndef QSOSYNC_BASE_BUDGET_H
#define QSOSYNC_BASE_BUDGET_H

#include <stdint.h>

/* A function that a signal handler calls when the budget is used up, whatever the process is doing.
 * The function may call only functions that are safe in handlers (signal-safety(7)), and ends the
 * process. */
typedef void budget_exceeded(void);

/* Gives the process `ms` milliseconds of processor time, starting now. */
void budget_begin(int64_t ms, budget_exceeded *exceeded);

/* Ends a step, so that the next step gets the full budget again. Does nothing without a budget. */
void budget_renew(void);

void budget_end(void);

#endif
