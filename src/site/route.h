/* What a route of the site is: one constant row with everything that the router needs to know, and
 * a function that answers. */
#ifndef QSOSYNC_SITE_ROUTE_H
#define QSOSYNC_SITE_ROUTE_H

#include "base/arena.h"
#include "http/error.h"
#include "http/request.h"
#include "http/response.h"
#include "store/store.h"

/* One request on its way through its route. */
struct exchange {
    const struct route *route;
    struct request *request;
    struct response *response;
    struct arena *arena;
    struct store *store;
    int status; /* of success: the row's, unless the answer sets another one */
};

enum route_use {
    ROUTE_USES_NOTHING,  /* answers with or without a database */
    ROUTE_USES_SNAPSHOT, /* answers inside a read transaction */
};

struct route {
    enum method method;
    const char *path; /* "/cluster/spots/{band}" */
    enum route_use use;
    bool is_tagged; /* the router makes an entity tag of the body, and answers If-None-Match */
    int status;     /* of success */
    /* Appends the body, and returns NULL; or returns the error to answer with. Sends nothing. */
    const struct error *(*answer)(struct exchange *exchange);
};

extern const struct route route_front_page;
extern const struct route route_health;
extern const struct route route_spots;
extern const struct route route_spots_of_band;
extern const struct route route_spot_near;
extern const struct route route_spot_statistics;

#endif
