/* Removes history: acts that are too old, acts beyond a limit, and acts in deleted logs. All calls
 * are inside a write transaction. */
#ifndef QSOSYNC_STORE_EDITS_REMOVAL_H
#define QSOSYNC_STORE_EDITS_REMOVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "store/transaction.h"

#define HISTORY_ACTS_MAX 200000 /* maximum number of acts per member */

/* Removes rows of old history: at most twice the number that the current edit has added, plus a
 * fixed number. The rows belong to any member whose acts are too old, or else to the edit's member,
 * if that member has too much history. */
enum store_result edits_remove_some(struct transaction *transaction);

/* Removes at most `limit` rows of the member's oldest act. Returns STORE_NONE if the member has no
 * act, or only the act that this transaction writes, which is removed only if with_own is true. */
enum store_result edits_remove_oldest(struct transaction *transaction, int64_t member_id,
                                      int64_t limit, bool with_own);

/* Removes at most `limit` previous states of a member, and the acts that then have no rows. Stores
 * in *last whether no history is left. */
enum store_result edits_remove_all(struct transaction *transaction, int64_t member_id,
                                   int64_t limit, bool *last);

#endif
