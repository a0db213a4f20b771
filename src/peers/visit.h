/* Visits to peers. */
#ifndef QSOSYNC_PEERS_VISIT_H
#define QSOSYNC_PEERS_VISIT_H

#include "base/arena.h"
#include "store/club/peers.h"

/* The outcome of a visit. */
struct visit_end {
    /* reason for an early end, as a phrase that follows the peer's address; NULL: the visit is
     * complete */
    const char *reason;
    bool has_failed; /* false: the next visit continues where this visit has ended */
};

/* Requests data until nothing is left, or until the time for the visit is used up. Stores the data,
 * and records the outcome of the visit. Returns STORE_DONE even if the peer has failed; *end then
 * contains the reason. */
enum store_result visit_peer(struct store *store, struct arena *arena, const struct peer *peer,
                             int64_t most_ms, struct visit_end *end);

#endif
