/* Asks peers, by libcurl: is paired with one, and visits one to learn what its members claim. */
#ifndef QSOSYNC_PEERS_VISIT_H
#define QSOSYNC_PEERS_VISIT_H

#include "base/api_key.h"
#include "store/club/peers.h"

/* Sends the code's secret and both keys to the peer, which does not know us yet; *club is what it
 * calls itself, in the arena. NULL, or why it failed, as a phrase that follows the peer's address;
 * *refused: the peer has refused the code. */
const char *visit_pair(struct arena *arena, const struct peer *peer, const char *secret,
                       const char *own_address, struct text own_club, struct text *club,
                       bool *refused);

/* How a visit ended: why it stopped before its end, in the same form; NULL: it did not. */
struct visit_end {
    const char *reason;
    bool has_failed; /* otherwise the next visit continues where this one stopped */
};

/* Requests data until nothing is left, for at most this many milliseconds, stores it, and records
 * the outcome of the visit. */
enum store_result visit_peer(struct store *store, struct arena *arena, const struct peer *peer,
                             int64_t most_ms, struct visit_end *end);

#endif
