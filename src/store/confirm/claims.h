/* The QSOs that claims of other clubs confirm. A claim is a QSO of another club's member with ours,
 * as reported by a peer. It confirms a QSO that matches it as another member's QSO would
 * (src/qso/match.h). Each claim confirms at most one QSO, and at most one claim confirms each QSO.
 * All calls are inside a write transaction. */
#ifndef QSOSYNC_STORE_CLAIMS_H
#define QSOSYNC_STORE_CLAIMS_H

#include "qso/match.h"
#include "store/transaction.h"

struct statement;

/* How a write to a QSO changes claims: the claim that no longer confirms it, and the new one; 0:
 * none. */
struct claim_change {
    int64_t ended;
    int64_t made;
};

/* Call this before a member's QSO (0: a new QSO) is written with the content of *side. Only reads;
 * in a logbook without claims only once per transaction. */
enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change);

/* After that: the claims that change are set. Then, after whatever changes of the QSO's other
 * confirmation: its time is set, and another QSO is looked for that the ended claim confirms. */
enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change);
enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change);

/* Call the first before a QSO is deleted: *claim is the claim that confirmed it, or 0. Call the
 * second after the deletion: looks for another QSO that the claim confirms (0: does nothing). */
enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim);
enum store_result claims_offer(struct transaction *transaction, int64_t claim);

/* For a new claim: *qso_id is the QSO that it confirms, or 0. The second function
 * sets or removes (0) the claim of a QSO (0: does nothing) and stamps the change. The time of
 * confirmation stays while anything confirms the QSO. */
enum store_result claims_seek_qso(struct transaction *transaction, const struct match_side *side,
                                  int64_t *qso_id);
enum store_result claims_note_qso(struct transaction *transaction, int64_t qso_id, int64_t claim);

/* Call this after a claim was changed: its confirmation is kept if it still holds; otherwise
 * another QSO is looked for. */
enum store_result claims_review(struct transaction *transaction, int64_t claim);

/* Remove one claim, after its confirmation has ended; a limited number of the claims that a
 * statement lists (*last: none is left); or all of them. */
enum store_result claims_remove(struct transaction *transaction, int64_t claim);
enum store_result claims_remove_some(struct transaction *transaction, struct statement *list,
                                     bool *last);
enum store_result claims_remove_all(struct transaction *transaction, struct statement *list);

#endif
