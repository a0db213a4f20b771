/* Records an operator's confirmation that the clock is right. */
#ifndef QSOSYNC_STORE_CLOCK_CONFIRMATION_H
#define QSOSYNC_STORE_CLOCK_CONFIRMATION_H

#include "database/result.h"

struct store;

/* Confirms that the clock is right, so that the removal of old data resumes. Runs its own
 * transaction. */
enum store_result store_confirm_clock(struct store *store);

#endif
