/* Stores the public counts on a station's page. The counts are updated when QSOs are written, so
 * that requests need not read the log. The logs of members who are not stations are not counted.
 *
 * To change a QSO, make two calls inside the open write transaction:
 *
 *     page_counts_take(transaction, member_id, qso_id)      before the QSO is changed or deleted
 *     page_counts_add(transaction, member_id, qso_id)       after the QSO was written */
#ifndef QSOSYNC_STORE_PAGE_COUNTS_H
#define QSOSYNC_STORE_PAGE_COUNTS_H

#include "store/transaction.h"

struct page_counts {
    int64_t qsos, divisions, squares;
};

/* Stores in *is_counted whether the log's QSOs are counted. A station's log is counted from its
 * first write on. */
enum store_result store_has_page_counts(struct store *store, int64_t member_id, bool *is_counted);

/* Reads the counts for a station's log, inside a read transaction. */
enum store_result store_read_page_counts(struct store *store, int64_t member_id,
                                         struct page_counts *out);

/* Sets transaction->counting, which shows whether the member's log is counted. Reads the database
 * only if the previous call in the transaction was for another member. */
enum store_result page_counts_find(struct transaction *transaction, int64_t member_id);

/* Counts a QSO after the QSO was written. */
enum store_result page_counts_add(struct transaction *transaction, int64_t member_id,
                                  int64_t qso_id);

/* Subtracts a QSO from the counts before the QSO is changed or deleted. */
enum store_result page_counts_take(struct transaction *transaction, int64_t member_id,
                                   int64_t qso_id);

#endif
