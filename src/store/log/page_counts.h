/* Counts the public numbers of a station's page when QSOs are written, so that no request reads the
 * log. Logs of other members are not counted. */
#ifndef QSOSYNC_STORE_PAGE_COUNTS_H
#define QSOSYNC_STORE_PAGE_COUNTS_H

#include "store/transaction.h"

struct page_counts {
    int64_t qsos, divisions, squares;
};

/* Whether a station's log is counted: from its first write on. */
enum store_result store_has_page_counts(struct store *store, int64_t member_id, bool *is_counted);

/* The numbers of a station's log, inside a read transaction. */
enum store_result store_read_page_counts(struct store *store, int64_t member_id,
                                         struct page_counts *out);

/* -- For other files of the store -------------------------------------------------------------- */

/* Looks up, once in a transaction, whether the member's log is counted: transaction->counting. */
enum store_result page_counts_find(struct transaction *transaction, int64_t member_id);

/* Takes a QSO into the numbers after it was written, or out of them before it is changed or
 * deleted, inside the open write transaction. */
enum store_result page_counts_add(struct transaction *transaction, int64_t member_id,
                                  int64_t qso_id);
enum store_result page_counts_take(struct transaction *transaction, int64_t member_id,
                                   int64_t qso_id);

#endif
