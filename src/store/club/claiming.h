/* Stores whether a member takes part in confirmations by other clubs, and finds the club that
 * confirms a QSO. */
#ifndef QSOSYNC_STORE_CLAIMING_H
#define QSOSYNC_STORE_CLAIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* Stores whether the member takes part in confirmations by peers. If the member does not take part,
 * no peer receives the member's QSOs, and existing confirmations by peers end. Runs its own
 * transaction. */
enum store_result store_set_claiming(struct store *store, int64_t member_id, bool on);

/* A QSO that a claim confirms. */
struct peer_confirmation {
    int64_t qso_id;
    struct text station; /* the confirming station's callsign, as the club writes it */
    struct text club;    /* name of the club, or its address without a scheme */
};

/* Finds the peer that confirms a QSO; the texts are in the arena. Returns STORE_NONE if no peer
 * confirms the QSO. */
enum store_result store_find_peer_of_qso(struct store *store, struct arena *arena, int64_t qso_id,
                                         struct peer_confirmation *out);

#endif
