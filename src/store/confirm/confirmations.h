/* Cross-confirmation: the pairs of QSOs that confirm each other are correct after every write. A
 * QSO is confirmed by another member's QSO, by another club's claim (claims.h), or by both.
 *
 * All calls are inside one write transaction. Those that write a QSO:
 *
 *     confirmations_plan(transaction, member_id, id, &side, confirmed_by, &change)
 *     ... write the row of the QSO
 *     confirmations_apply(transaction, id, &change)
 *
 * Those that delete a QSO:
 *
 *     confirmations_release(transaction, id, confirmed_by, &released)
 *     ... delete the row of the QSO
 *     confirmations_pair_again(transaction, &released)
 *
 * After a failure the caller rolls the transaction back: a plan without its apply leaves QSOs
 * unpaired that belong together. The caller owns the structs, which hold numbers only. A plan is
 * valid until the next write of the transaction. Do not assume that a partner stays: each write may
 * pair other QSOs, too. */
#ifndef QSOSYNC_STORE_CONFIRMATIONS_H
#define QSOSYNC_STORE_CONFIRMATIONS_H

#include "qso/match.h"
#include "store/confirm/claims.h"
#include "store/transaction.h"

/* The effect of a write to a QSO: ids of its previous and its new partner; 0: none. */
struct confirmation_change {
    int64_t ended;
    int64_t made;
    struct claim_change claim; /* effect on the claims of peers */
};

/* Plans the effect of writing the content of *side to a member's QSO (0: a new QSO). A confirmation
 * by `confirmed_by` (0: none) is kept if it still holds. Otherwise it ends, and a matching free QSO
 * of another member replaces it. Only reads. */
enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change);

/* Carries out the plan after the QSO was written. Looks for a new partner for a released partner.
 */
enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change);

/* The ids of the partner and the claim that confirmed a deleted QSO; 0: none. */
struct released {
    int64_t partner;
    int64_t claim;
};

/* Releases the partner and the claim of a QSO that is about to be deleted. */
enum store_result confirmations_release(struct transaction *transaction, int64_t id,
                                        int64_t confirmed_by, struct released *out);

/* Looks for another partner for the released QSO, and for another QSO that the claim confirms,
 * after the deletion. */
enum store_result confirmations_pair_again(struct transaction *transaction,
                                           const struct released *released);

/* Decides a QSO's confirmation again, after the callsign of its member has changed. `confirmed_by`
 * is its present partner (0: none). */
enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by);

#endif
