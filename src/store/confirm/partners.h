/* Finds the other side of a contact among the QSOs of other members. */
#ifndef QSOSYNC_STORE_PARTNERS_H
#define QSOSYNC_STORE_PARTNERS_H

#include "qso/match.h"
#include "store/transaction.h"

/* Stores in *allowed whether the member may use this station callsign: either the callsign is the
 * member's own, or it belongs to no member. */
enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed);

/* A stored QSO: the member who owns the QSO, and the member's side of the contact. */
struct owned_qso {
    int64_t member_id;
    bool member_active;
    struct match_side side;
};

/* Finds a QSO that another row references, so a missing QSO is STORE_BROKEN, never STORE_NONE. */
enum store_result partners_find_qso(struct store *store, int64_t id, struct owned_qso *out);

/* Discards the finding in this transaction that nobody has logged this station (NULL: any station)
 * under a callsign other than their own. Call this function when a QSO with the station is written
 * or becomes free. */
void partners_reset(struct transaction *transaction, const struct match_callsign *worked);

/* Finds the free QSO of another active member that matches this side of a member's contact. Chooses
 * the QSO that is nearest in time, and the oldest QSO among equals. Sets *partner to the QSO's id,
 * or to 0 if no QSO matches. */
enum store_result partners_find(struct transaction *transaction, int64_t member_id,
                                const struct match_side *side, int64_t *partner);

#endif
