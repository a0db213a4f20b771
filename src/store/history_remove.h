/* Removing history: what is too old, more than is kept, or of a log that is deleted. */
#ifndef QSOSYNC_STORE_HISTORY_REMOVE_H
#define QSOSYNC_STORE_HISTORY_REMOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/transaction.h"

#define HISTORY_ACTS_MAX 200000 /* a member */

/* Removes some of what is too old, of any member, or else of what the member of the present edit
 * has too much of: more rows than the edit has added, and few. */
enum store_result history_remove_some(struct transaction *transaction);

/* Removes at most `limit` former states of a member, and the acts that they leave empty. *last is
 * true when no history is left. */
enum store_result history_remove_all(struct transaction *transaction, int64_t member_id,
                                     int64_t limit, bool *last);

#endif
