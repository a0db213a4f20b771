/* Finds the other side of a contact among the QSOs of other members. Only reads. */
#ifndef QSOSYNC_STORE_PARTNERS_H
#define QSOSYNC_STORE_PARTNERS_H

#include "qso/match.h"
#include "store/claims.h"
#include "store/transaction.h"

/* Whether the member may use this station callsign: it is the member's own, or no member's. */
enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed);

/* To be called if a QSO of :worked becomes free, or is written: what this transaction has found
 * out about users of the callsign may be out of date. NULL: of any station. */
void partners_reset(struct transaction *transaction, const struct match_callsign *worked);

/* Cross-confirmation: keeps the pairs of QSOs that confirm each other correct after every write. */

/* What a write to a QSO changes among the pairs: ids of its former and its new partner; 0: none. */
struct confirmation_change {
    int64_t ended;
    int64_t made;
    struct claim_change claim; /* and among the claims of peers */
};

/* Before a member's QSO (0: a new one) is created or updated, to what *side says: its confirmation
 * by `confirmed_by` (0: none) is kept if it still holds; otherwise it ends, and another member's
 * free QSO that matches takes its place. Only reads. */
enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change);

/* After that QSO was written, inside the same transaction. For a partner that is set free a new
 * partner is looked for. */
enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change);

/* Before a QSO is deleted: sets its partner free, for which a new one is looked for afterwards. */
enum store_result confirmations_end(struct transaction *transaction, int64_t id,
                                    int64_t confirmed_by);

/* After the deletion: looks for another partner for the one that was set free. */
enum store_result confirmations_pair_again(struct transaction *transaction, int64_t id);

/* After the callsign of the QSO's member has changed: keeps or ends its confirmation by
 * `confirmed_by` (0: none), or makes one. */
enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by);

#endif
