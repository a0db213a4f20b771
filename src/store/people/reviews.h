/* Re-evaluates confirmations after members have changed, in short transactions. */
#ifndef QSOSYNC_STORE_REVIEWS_H
#define QSOSYNC_STORE_REVIEWS_H

#include "store/transaction.h"

/* Ends a transaction that has changed members, as store_finish does, and does the first part of the
 * members' reviews in this transaction. After the commit, the remaining reviews follow in separate
 * transactions. If one of those transactions fails, store_review_some continues later, and the
 * result is still the result of the first transaction. */
enum store_result reviews_finish(struct transaction *transaction, enum store_result result);

/* Does all remaining reviews in separate transactions. */
enum store_result store_review_all(struct store *store);

/* Does a part of the reviews that an interrupted process has left. Call this function between
 * requests: it looks for reviews once per minute, and never waits. NULL is allowed. */
void store_review_some(struct store *store);

#endif
