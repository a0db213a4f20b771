/* Finds the other side of a contact among the QSOs of other members. Only reads. */
#ifndef QSOSYNC_STORE_PARTNERS_H
#define QSOSYNC_STORE_PARTNERS_H

#include "qso/match.h"
#include "store/transaction.h"

/* Whether the member may use this station callsign: it is the member's own, or no member's. */
enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed);

/* To be called where a QSO of :worked becomes free, or is written: what this transaction has found
 * out about users of the callsign may be out of date. NULL: of any station. */
void partners_reset(struct transaction *transaction, const struct match_callsign *worked);

/* The free QSO of another active member that matches this side of a member's contact: the nearest
 * in time, then the oldest; 0: none. */
enum store_result partners_find(struct transaction *transaction, int64_t member_id,
                                const struct match_side *side, int64_t *partner);

#endif
