/* Requests that wait in a worker for their client's turn while the worker serves others. */
#ifndef QSOSYNC_WORKER_WAITING_H
#define QSOSYNC_WORKER_WAITING_H

#include "http/gateway.h"
#include "worker/shares.h"

#define WAITING_MS 1000 /* how long a request waits */

/* The data about a request before it is served. */
struct asked {
    /* place in which the request has waited (gateway_put_aside); -1: the request is new */
    int place;
    bool has_turn;
    int64_t since_ms; /* arrival by the monotonic clock */
    struct client client;
    struct rate_verdict verdict; /* already counted: a request is counted once */
};

struct waiting {
    struct asked requests[GATEWAY_PLACES]; /* the oldest first */
    int count;
};

/* Puts the gateway's request aside, with this much of its body read. Returns false if the request
 * cannot wait. */
bool waiting_add(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                 const struct asked *asked, struct text body);

/* Waits for a request to serve: one whose turn has come, one that has waited for WAITING_MS, or a
 * new one with only `place` filled in. Returns false if no more requests will arrive. */
bool waiting_next(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                  struct asked *next);

#endif
