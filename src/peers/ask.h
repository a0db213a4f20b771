/* A request to a peer. */
#ifndef QSOSYNC_PEERS_ASK_H
#define QSOSYNC_PEERS_ASK_H

#include "base/buffer.h"
#include "http/client.h"
#include "json/scan.h"
#include "store/club/peers.h"

/* The bounds for the JSON in a peer's answer. */
#define ASK_BOUNDS                                                                                 \
    {                                                                                              \
        .items_max = JSON_ITEMS_MAX                                                                \
    }

struct ask {
    const struct peer *peer;
    const char *path;
    const char *authorization; /* value of the Authorization header; NULL: no header */
    const struct buffer *body;
    int64_t most_ms; /* maximum time for the answer; 0: the client's own limit */
};

/* Posts the body to the peer. Returns NULL if the peer answers with 200, or the reason why the
 * request failed, in the arena. The reason is a phrase that follows the peer's address. *response
 * is filled in both cases. */
const char *ask_peer(struct arena *arena, const struct ask *ask, struct client_response *response);

#endif
