/* Claims: QSOs of other clubs' members with ours, as peers tell of them. A claim confirms a QSO
 * that matches it as another member's QSO would (src/qso/match.h). Each confirms one QSO at most,
 * each QSO is confirmed by one at most, beside the member's QSO that may confirm it, too. */
#ifndef QSOSYNC_STORE_CLAIMS_H
#define QSOSYNC_STORE_CLAIMS_H

#include "qso/match.h"
#include "store/transaction.h"

/* What a write to a QSO changes: the claims that confirmed it and will; 0: none. */
struct claim_change {
    int64_t ended;
    int64_t made;
};

/* Before a member's QSO (0: a new one) is written, to what *side says. Only reads, and in a logbook
 * without claims once in a transaction. */
enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change);

/* After that: the claims that change are set. Then, after whatever changes of the QSO's other
 * confirmation: its time is set, and another QSO is looked for that the ended claim confirms. */
enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change);
enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change);

/* Before a QSO is deleted: *claim is the one that confirmed it, or 0. After that: another QSO is
 * looked for that it confirms (0: nothing is done). */
enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim);
enum store_result claims_offer(struct transaction *transaction, int64_t claim);

/* Before a claim is changed or removed: it confirms nothing any more; the QSO gets another one. */
enum store_result claims_withdraw(struct transaction *transaction, int64_t claim);

/* After a claim was changed: what it confirmed is kept if it still holds; otherwise another QSO is
 * looked for. */
enum store_result claims_review(struct transaction *transaction, int64_t claim);

#endif
