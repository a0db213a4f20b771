/* Pairing with another club. */
#ifndef QSOSYNC_PEERS_PAIRING_H
#define QSOSYNC_PEERS_PAIRING_H

#include "base/arena.h"
#include "store/club/peers.h"

struct pairing {
    const struct peer *peer; /* the peer's address, and both keys */
    const char *secret;      /* the secret part of the code */
    const char *own_address;
    struct text own_club;
    struct text club; /* the other club's own name, in the arena; no text: the club has no name */
    bool is_refused;  /* whether the peer has rejected the code */
};

/* Sends the code's secret and both keys to the peer, which does not have our key yet. Returns NULL
 * and fills pairing->club, or returns the reason why the request failed, as a phrase that follows
 * the peer's address. Sets pairing->is_refused in both cases. */
const char *pairing_ask(struct arena *arena, struct pairing *pairing);

#endif
