/* Decides which QSOs other clubs' claims confirm. A claim is a QSO between another club's member
 * and our member, as reported by a peer. A claim confirms a QSO under the same conditions as
 * another member's QSO (src/qso/match.h). Each claim confirms at most one QSO, and at most one
 * claim confirms each QSO.
 *
 * All calls are inside a write transaction; nothing that a caller passes is kept. To write a QSO:
 *
 *     claims_plan(transaction, member_id, id, &side, &change)
 *     ... write the row of the QSO
 *     claims_set(transaction, id, &change)
 *     ... set the QSO's other confirmation (confirmations.h)
 *     claims_settle(transaction, id, &change)
 *
 * To delete a QSO:
 *
 *     claims_release(transaction, id, &claim)
 *     ... delete the row of the QSO
 *     claims_offer(transaction, claim) */
#ifndef QSOSYNC_STORE_CLAIMS_H
#define QSOSYNC_STORE_CLAIMS_H

#include "qso/match.h"
#include "store/transaction.h"

struct statement;

/* The effect of a write to a QSO: the claim that no longer confirms the QSO, and the claim that now
 * does; 0: none. */
struct claim_change {
    int64_t ended;
    int64_t made;
};

/* Plans the effect of writing the content of *side to a member's QSO (0: a new QSO). Only reads; if
 * the logbook has no claims, reads only once per transaction. */
enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change);

/* Stores the planned changes in the rows of the QSO and of both claims. */
enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change);

/* Sets the time of the QSO's confirmation. Also looks for another QSO that the ended claim
 * confirms. */
enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change);

/* Releases the claim that confirms a QSO, before the QSO is deleted. Sets *claim to the claim's id,
 * or to 0 if no claim confirms the QSO. */
enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim);

/* Looks for a QSO that a free claim confirms, and records the confirmation. Does nothing if the
 * claim is 0, does not exist, or already confirms a QSO. */
enum store_result claims_offer(struct transaction *transaction, int64_t claim);

/* Finds the QSO that a new claim with this side confirms. Sets *qso_id to the QSO's id, or to 0 if
 * no QSO matches. */
enum store_result claims_seek_qso(struct transaction *transaction, const struct match_side *side,
                                  int64_t *qso_id);

/* Sets the claim that confirms a QSO (0: no claim), and stamps the change. Does nothing if the QSO
 * is 0. The time of the confirmation does not change while another QSO or a claim confirms the QSO.
 */
enum store_result claims_note_qso(struct transaction *transaction, int64_t qso_id, int64_t claim);

/* Re-evaluates the confirmation by a changed claim: keeps the confirmation if it still holds, and
 * otherwise looks for another QSO. */
enum store_result claims_review(struct transaction *transaction, int64_t claim);

/* Ends the confirmation by a claim, and removes the claim. */
enum store_result claims_remove(struct transaction *transaction, int64_t claim);

/* Removes a limited number of the claims that a statement lists. If *last is set to true, no claim
 * is left. Otherwise, call the function again with the same list. */
enum store_result claims_remove_some(struct transaction *transaction, struct statement *list,
                                     bool *last);

/* Removes all claims that a statement lists. */
enum store_result claims_remove_all(struct transaction *transaction, struct statement *list);

#endif
