/* Decides cross-confirmation, so that the pairs of QSOs that confirm each other are correct after
 * every write. A QSO is confirmed by another member's QSO, by another club's claim (claims.h), or
 * by both.
 *
 * All calls are inside one write transaction. To write a QSO:
 *
 *     confirmations_plan(transaction, member_id, id, &side, confirmed_by, &change)
 *     ... write the row of the QSO
 *     confirmations_apply(transaction, id, &change)
 *
 * To delete a QSO:
 *
 *     confirmations_release(transaction, id, confirmed_by, &released)
 *     ... delete the row of the QSO
 *     confirmations_pair_again(transaction, &released)
 *
 * After a failure, the caller rolls the transaction back, because the stored pairs are correct only
 * after the last step. The caller owns the structs, which only contain numbers. A plan is no longer
 * valid after the transaction has written another QSO. Do not assume that a QSO keeps its partner,
 * because each write can also pair other QSOs. */
#ifndef QSOSYNC_STORE_CONFIRMATIONS_H
#define QSOSYNC_STORE_CONFIRMATIONS_H

#include "qso/match.h"
#include "store/confirm/claims.h"
#include "store/transaction.h"

/* The effect of a write to a QSO: ids of its previous partner and its new partner; 0: none. */
struct confirmation_change {
    int64_t ended;
    int64_t made;
    struct claim_change claim; /* effect on the claims from peers */
};

/* Plans the effect of writing the content of *side to a member's QSO (0: a new QSO). A confirmation
 * by `confirmed_by` (0: none) is kept if it still holds. Otherwise the confirmation ends, and a
 * matching free QSO of another member becomes the new partner. Only reads. */
enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change);

/* Carries out the plan after the QSO was written. Also looks for a new partner for the previous
 * partner. */
enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change);

/* The ids of the partner and of the claim that confirmed a deleted QSO; 0: none. */
struct released {
    int64_t partner;
    int64_t claim;
};

/* Releases the partner and the claim of a QSO, before the QSO is deleted. */
enum store_result confirmations_release(struct transaction *transaction, int64_t id,
                                        int64_t confirmed_by, struct released *out);

/* Looks for another partner for the released QSO, and for another QSO that the released claim
 * confirms. Call this function after the deletion. */
enum store_result confirmations_pair_again(struct transaction *transaction,
                                           const struct released *released);

/* Re-evaluates a QSO's confirmation after members have changed (people/reviews.h). `confirmed_by`
 * is the QSO's current partner (0: none). */
enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by);

#endif
