/* The one way of a request: request limit, path, method, access, snapshot, answer, entity tag, and
 * the sending. */
#ifndef QSOSYNC_WORKER_ROUTER_H
#define QSOSYNC_WORKER_ROUTER_H

#include "worker/route.h"

/* What a program brings. */
struct router {
    const struct route *const *routes; /* ends with NULL */
    /* Takes out of a path what its clients write in different ways; NULL: nothing. */
    void (*simplify_path)(struct request *request);
    /* May answer with another place where the request is to be sent: true if it has; NULL:
     * never. Outside of any transaction. */
    bool (*lead)(struct exchange *exchange);
    /* Finds out, inside a read transaction, who asks, and whether the route is for them: NULL with
     * the exchange's identity filled, or the error to answer with. Not called for public routes. */
    const struct error *(*identify)(struct exchange *exchange);
    /* Notes what is to be remembered of the request, after the response and outside of any
     * transaction, if there is a store. */
    void (*finish)(const struct exchange *exchange, const struct error *error);
    /* What the 404 of the base path itself, which is none of the routes, says; NULL: no more. */
    const char *base_message;
    /* May put a page in place of the JSON of an error, for people; NULL: never. */
    void (*show_error)(struct exchange *exchange, const struct error *error);
};

/* Answers a request, whatever it is; is_limited: the request limit is reached, and the answer is to
 * say so. The exchange has request, response, arena and store. */
void router_serve(const struct router *router, struct exchange *exchange, bool is_limited);

#endif
