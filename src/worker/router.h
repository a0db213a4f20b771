/* From a request to its endpoint: the checks that the endpoint's row asks for, the call, and the
 * response. */
#ifndef QSOSYNC_WORKER_ROUTER_H
#define QSOSYNC_WORKER_ROUTER_H

#include "base/arena.h"
#include "http/gateway.h"
#include "worker/rate_limit.h"
#include "http/response.h"

/* What a worker keeps from request to request. */
struct worker {
    struct store *store; /* NULL: not open */
    char *store_path;    /* whose database it is, or was tried last */
    struct rate_limit limit;
    struct arena arena;
    struct response response;
};

/* Answers the request that the gateway has accepted, whatever it is. */
void router_serve(struct worker *worker, struct gateway *gateway);

/* Opens the database that the settings name, unless that one is open already. Returns false, after
 * a line in the log, when it cannot be opened now; the next request tries again. */
bool router_open_store(struct worker *worker, const char *path);

void router_close(struct worker *worker);

#endif
