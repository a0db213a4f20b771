/* Decides confirmations again after a change of members, in short transactions. */
#ifndef QSOSYNC_STORE_REVIEWS_H
#define QSOSYNC_STORE_REVIEWS_H

#include "store/transaction.h"

/* Ends a transaction that has changed members, as store_finish does, including the first part of
 * their reviews. After its commit, the remaining reviews follow in separate transactions. If one of
 * those fails, store_review_some continues later, and the result is still that of the first
 * transaction. */
enum store_result reviews_finish(struct transaction *transaction, enum store_result result);

/* Does all remaining reviews, in transactions of its own. */
enum store_result store_review_all(struct store *store);

/* Does a part of the reviews that an interrupted process has left. Call it between requests: it
 * checks once a minute, and never waits. NULL is allowed. */
void store_review_some(struct store *store);

#endif
