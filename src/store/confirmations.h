/* Cross-confirmation: the pairs of QSOs that confirm each other are correct after every write.
 *
 * A claim is a QSO of another club's member with ours, as reported by a peer. It confirms a QSO
 * that matches it as another member's QSO would (src/qso/match.h). Each claim confirms at most one
 * QSO, and at most one claim confirms each QSO, in addition to a member's QSO.
 *
 * All calls that write a QSO are inside one write transaction, in this order:
 *
 *     confirmations_plan(transaction, member_id, id, &side, confirmed_by, &change)
 *     ... write the row of the QSO
 *     confirmations_apply(transaction, id, &change)
 *
 * Those that delete a QSO, where the calls for a partner are skipped if it has none:
 *
 *     claims_release(transaction, id, &claim)
 *     confirmations_end(transaction, id, confirmed_by)
 *     ... delete the row of the QSO
 *     confirmations_pair_again(transaction, confirmed_by)
 *     claims_offer(transaction, claim)
 *
 * Every call may fail with STORE_FAILED, and the caller then rolls the transaction back: a plan
 * without its apply, or a release without its offer, leaves QSOs unpaired that belong together. The
 * caller owns all structs, which hold numbers only. A plan is valid until the next write of the
 * transaction. Do not assume that a partner stays: each write may pair other QSOs, too. */
#ifndef QSOSYNC_STORE_CONFIRMATIONS_H
#define QSOSYNC_STORE_CONFIRMATIONS_H

#include "qso/match.h"
#include "store/transaction.h"

struct statement;

/* -- Other members' QSOs (partners.c) ---------------------------------------------------------- */

/* Whether the member may use this station callsign: it is the member's own, or no member's. */
enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed);

/* A stored QSO's member, and the member's side of it. */
struct owned_qso {
    int64_t member_id;
    bool member_active;
    struct match_side side;
};

/* The same for a QSO that another row references, so never STORE_NONE. */
enum store_result partners_find_qso(struct store *store, int64_t id, struct owned_qso *out);

/* Call this if a QSO of :worked becomes free or is written: this transaction's results about users
 * of the callsign may be outdated. NULL: any station. */
void partners_reset(struct transaction *transaction, const struct match_callsign *worked);

/* How a write to a QSO changes claims: the claim that no longer confirms it, and the new one; 0:
 * none. */
struct claim_change {
    int64_t ended;
    int64_t made;
};

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

/* Before a QSO is deleted: releases its partner, for which a new one is looked for afterwards. */
enum store_result confirmations_end(struct transaction *transaction, int64_t id,
                                    int64_t confirmed_by);

/* Call this after the deletion: looks for another partner for the released QSO. */
enum store_result confirmations_pair_again(struct transaction *transaction, int64_t id);

/* After the callsign of the QSO's member has changed: keeps or ends its confirmation by
 * `confirmed_by` (0: none), or makes one. */
enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by);

/* -- Claims (claims.c) ------------------------------------------------------------------------- */

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
