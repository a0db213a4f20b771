/* Lists and merges duplicates: two QSOs in a log that are the same contact by the rule for other
 * programs' records. Releases without this rule have saved such duplicates. */
#ifndef QSOSYNC_TRANSFER_DOUBLES_H
#define QSOSYNC_TRANSFER_DOUBLES_H

#include "base/arena.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/transaction.h"

/* The start of a search: a number above all slots (match_slot). */
#define DOUBLES_BEGIN (INT64_C(1) << 30)

/* Limits for the part of a log that one call searches. */
#define DOUBLES_QSOS_MAX 20000
#define DOUBLES_PAIRS_MAX 200

/* Two duplicates, and the QSO that a merge would leave. `older` has the earlier start. */
struct doubles_pair {
    const struct qso *older, *newer, *merged;
};

/* Calls `visit` for the duplicates in a part of the log, newest first. A pair is valid only during
 * the call to visit. *below is the slot at which this part ends, which is not included, and becomes
 * the end of the next part. *has_more receives whether there is a next part. */
typedef void doubles_visitor(void *context, const struct doubles_pair *pair);
enum store_result doubles_list(struct store *store, int64_t member_id, int64_t *below,
                               bool *has_more, doubles_visitor *visit, void *context);

/* Merges two QSOs in the open write transaction. The kept QSO (doubles_is_kept) receives missing
 * values, more exact values and notes from the other QSO. The other QSO is deleted, and its known
 * records are moved to the kept QSO. Returns STORE_NONE if a QSO does not exist, and STORE_CONFLICT
 * if the QSOs are not duplicates. */
struct doubles_merged {
    int64_t kept, deleted; /* ids of the QSOs */
    /* number of the act, with which the merge can be undone; 0: there is no history */
    int64_t act;
};
enum store_result doubles_merge(struct transaction *transaction, const struct identity *member,
                                int64_t one, int64_t other, struct doubles_merged *out);

/* In the open write transaction, stores or removes the mark that two similar QSOs are two contacts.
 * Marked QSOs are neither listed nor merged. Returns STORE_NONE if a QSO does not exist,
 * STORE_CONFLICT if both are the same QSO, and STORE_FULL if there is no space for the mark. */
enum store_result doubles_set_apart(struct transaction *transaction, const struct identity *member,
                                    int64_t one, int64_t other, bool are_apart);

#endif
