/* When two QSOs of two members are the same contact, seen from both ends (cross-confirmation).
 *
 * Pure: which QSOs there are is the store's business. */
#ifndef QSOSYNC_QSO_MATCH_H
#define QSOSYNC_QSO_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/qso.h"

#define MATCH_SLOTS 3 /* the partner's own time slot and its neighbours */

/* Lookup keys of a QSO: `own` is stored with it; a partner's own key is one of `partner`. Each is
 * made of a 15-minute slot of qsoAt and 32 bits of hash over band, channel and both callsigns, so
 * equal keys are candidates and match_confirms decides. */
struct match_keys {
    int64_t own;
    int64_t partner[MATCH_SLOTS];
};

/* Returns false for a QSO that cannot be confirmed: no callsign worked, or heard only. The station
 * is the operator callsign or, where that is empty, the member's. */
bool match_make_keys(const struct qso *qso, struct text member_callsign, struct match_keys *keys);

/* True if the two QSOs confirm each other; that they belong to two members is the caller's to know.
 */
bool match_confirms(const struct qso *a, struct text a_member_callsign, const struct qso *b,
                    struct text b_member_callsign);

/* The station callsign of a QSO. */
struct text match_station(const struct qso *qso, struct text member_callsign);

#endif
