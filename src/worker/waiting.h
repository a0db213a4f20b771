/* Requests that wait in a worker for their client's turn, while the worker serves other requests.
 */
#ifndef QSOSYNC_WORKER_WAITING_H
#define QSOSYNC_WORKER_WAITING_H

#include "http/gateway.h"
#include "worker/shares.h"

#define WAITING_MS 1000 /* longest time for which a request waits */

/* The data about a request before it is served. */
struct asked {
    /* place in which the request has waited (gateway_put_aside); -1: the request is new */
    int place;
    bool has_turn;
    int64_t since_ms; /* arrival by the monotonic clock */
    struct client client;
    struct rate_verdict verdict; /* result of the count: a request is counted only once */
};

struct waiting {
    struct asked requests[GATEWAY_PLACES]; /* waiting requests, oldest first */
    int count;
};

/* Puts the gateway's request aside, with the part of its body that was read. Returns false if the
 * request cannot wait. */
bool waiting_add(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                 const struct asked *asked, struct text body);

/* Waits for a request to serve: a request whose turn has come, a request that has waited for
 * WAITING_MS, or a new request. A new request has only `place` filled in. Returns false if no more
 * requests will arrive. */
bool waiting_next(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                  struct asked *next);

#endif
