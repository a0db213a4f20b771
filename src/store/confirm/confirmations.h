/* Cross-confirmation: the pairs of QSOs that confirm each other are correct after every write. A
 * QSO is confirmed by another member's QSO, by a claim of another club (claims.h), or by both.
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

/* How a write to a QSO changes the pairs: ids of its previous and its new partner; 0: none. */
struct confirmation_change {
    int64_t ended;
    int64_t made;
    struct claim_change claim; /* and among the claims of peers */
};

/* Call this before a member's QSO (0: a new QSO) is created with, or updated to, the content of
 * *side. Its confirmation by `confirmed_by` (0: none) is kept if it still holds. Otherwise it ends,
 * and a matching free QSO of another member replaces it. Only reads. */
enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change);

/* After that QSO was written, inside the same transaction. If a partner is released, a new
 * one is looked for. */
enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change);

/* The ids of the partner and the claim that confirmed a deleted QSO; 0: none. */
struct released {
    int64_t partner;
    int64_t claim;
};

/* Call this before a QSO is deleted: releases its partner and its claim. */
enum store_result confirmations_release(struct transaction *transaction, int64_t id,
                                        int64_t confirmed_by, struct released *out);

/* Call this after the deletion: looks for another partner for the released QSO, and for another QSO
 * that the claim confirms. */
enum store_result confirmations_pair_again(struct transaction *transaction,
                                           const struct released *released);

/* After the callsign of the QSO's member has changed: keeps or ends its confirmation by
 * `confirmed_by` (0: none), or makes one. */
enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by);

#endif
