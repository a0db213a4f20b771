/* A route is an offer of a program at a path: one constant row with everything that the router
 * needs, and a function that answers. An endpoint is a route of the API. */
#ifndef QSOSYNC_WORKER_ROUTE_H
#define QSOSYNC_WORKER_ROUTE_H

#include "base/arena.h"
#include "http/error.h"
#include "http/request.h"
#include "http/response.h"
#include "json/scan.h"
#include "store/credentials.h"
#include "store/people/key_refusals.h"
#include "store/people/keys.h"
#include "store/people/members.h"
#include "worker/shares.h"

/* One request and its response, on their way through a route. */
struct exchange {
    const struct route *route; /* NULL: none fits */
    struct request *request;
    struct response *response;
    struct buffer *body; /* the response's */
    struct arena *arena;
    struct store *store;             /* NULL: not open; never so if the route uses it */
    const struct error *store_error; /* the error to answer with if it is not open */
    struct shared_file *limit;       /* counts of requests */
    const struct shares *shares;     /* requests that this worker and others serve */
    struct client *client;           /* the client that it is served for */
    bool waits;                      /* it is not the member's turn */
    struct identity identity;        /* the caller, as far as the route's access needs it */
    struct member member;            /* the caller, if the route is for members */
    const struct club *club;         /* result of club_of; NULL until its first call */
    const struct json_fields *sent;  /* found by the route's prepare: the object in the request, */
    int64_t number;                  /* the number in its path, */
    struct member subject;           /* and that member */
    int64_t server_time_ms;          /* every write with an earlier stamp is in the snapshot */
    /* for success: the row's, unless the answer sets another one */
    int status;
    bool is_private; /* the answer identifies the caller, even if its other content is public: it is
                        neither cached nor tagged */
    const char *file_name;  /* a browser saves the answer under this name; NULL: it shows it */
    struct refusal refusal; /* set by an answer that has rejected entries; no code: none */
};

enum route_access {
    ACCESS_PUBLIC,
    ACCESS_READ_KEY,  /* an API key of either scope */
    ACCESS_WRITE_KEY, /* a member who may write */
    ACCESS_UPLOADS,   /* while uploads are on; the token is the route's to look up */
    ACCESS_MEMBER,    /* a member who is signed in */
    ACCESS_LOG, /* a signed-in member, in their own log or that of a station that they may operate;
                   the exchange's member and identity are that log's */
    ACCESS_OPERATOR, /* an operator of the club who has given the password recently */
    ACCESS_PEER,     /* another club's service */
};

enum route_use {
    USES_NOTHING,  /* answers with or without a database */
    USES_SNAPSHOT, /* answers inside a read transaction */
    USES_STORE,    /* opens transactions of its own */
};

enum body_type {
    BODY_JSON, /* Content-Type: application/json */
    BODY_JSON_OR_FORM,
    BODY_OF_ANY_TYPE, /* programs send it with any type */
};

#define BODY_UNKNOWN_MAX_BYTES 65536 /* read before the caller is known */

/* Bounds for the body of a request. Reading stops at these bounds (worker/body.h). */
struct route_body {
    enum body_type type;
    size_t bytes_max;        /* 0: nothing of it is read */
    struct json_bounds json; /* a form has its fields as items; no items: it is neither */
};

struct route {
    enum method method;
    const char *path; /* "/logs/{clientId}" */
    enum route_access access;
    enum route_use use;
    const struct route_body *body; /* only for a POST or PUT */
    int status;                    /* for success */
    bool sends_log_epoch;          /* answers carry X-Log-Epoch */
    int max_age_s;                 /* how long anybody may keep an answer; 0: not at all */
    bool is_object;         /* the answer appends the fields of one, and the router its braces */
    bool is_tagged;         /* the router makes the entity tag, of the finished body */
    bool is_kept_privately; /* by the browser that asks, and by no cache in between */
    /* The entity tag of the result of answer, with its quotes, in the arena, for a route that can
     * determine it without building the body. NULL: none. */
    const char *(*entity_tag)(struct exchange *exchange);
    /* Runs before answer; returns the error to answer with instead, or NULL. NULL: does nothing. */
    const struct error *(*prepare)(struct exchange *exchange);
    /* Adds headers and appends the body, and returns NULL; or returns the error to answer with.
     * Sends nothing. */
    const struct error *(*answer)(struct exchange *exchange);
};

/* The error to answer with; NULL for STORE_DONE, 500 for every failure that the client did not
 * cause. */
const struct error *route_store_error(enum store_result result);

/* The same, but `none` for STORE_NONE. */
const struct error *route_find_error(enum store_result result, const struct error *none);

/* Records the member for whom the request is served, before any work for that member. Returns NULL,
 * or an error if the member's other requests already use as many workers as allowed. The request
 * then waits, and is routed again when its turn comes. */
const struct error *route_take_turn(struct exchange *exchange, int64_t member_id);

/* Whether each row has the limits of its bodies: at most BODY_UNKNOWN_MAX_BYTES if the route is
 * public. Otherwise the log names the row, and the program must not start. */
bool routes_check(const struct route *const *routes);

/* Prints the table for a person or a test, one line per route, with tabs between: method, path, who
 * may use it, and its bodies' limits for bytes, items and elements of a list. */
void routes_print(const struct route *const *routes);

/* Returned by a route that has written an error in its own form. Its status and body are sent
 * unchanged. */
extern const struct error route_answered;

/* A program lists the names of its routes once, in a macro that applies its argument to each. These
 * make declarations, an enum and the rows of a table of it. */
#define ROUTE_DECLARE(name) extern const struct route route_##name;
#define ROUTE_ENUMERATE(name) ROUTE_NUMBER_##name,
#define ROUTE_ADDRESS(name) &route_##name,

/* Begins the row of a route. A route that the list lacks does not compile. */
#define ROUTE(name)                                                                                \
    _Static_assert(ROUTE_NUMBER_##name >= 0, "the program lists it");                              \
    const struct route route_##name

/* -- The one way of a request ------------------------------------------------------------------ */

/* The program's part. */
struct router {
    const struct route *const *routes; /* ends with NULL */
    /* Normalises parts of a path that clients write in different ways; NULL: nothing. */
    void (*simplify_path)(struct request *request);
    /* May redirect the request to another place: returns true if it has; NULL: never. Outside of
     * any transaction. */
    bool (*lead)(struct exchange *exchange);
    /* Identifies the caller, inside a read transaction, and checks their access to the route.
     * Returns NULL with the exchange's identity filled, or the error to answer with. Not called for
     * public routes. */
    const struct error *(*identify)(struct exchange *exchange);
    /* Stores data about the request, after the response and outside of any transaction, if the
     * store is open. */
    void (*finish)(const struct exchange *exchange, const struct error *error);
    /* Text of the 404 for the base path itself, which is not a route; NULL: no further text. */
    const char *base_message;
    /* May put a page in place of the JSON of an error, for people; NULL: never. */
    void (*show_error)(struct exchange *exchange, const struct error *error);
};

/* Answers a request, whatever it is, with the refusal if there is one (NULL: none). The exchange
 * has request, response, arena and store. False: it has to wait for its turn, and nothing was sent.
 */
bool router_serve(const struct router *router, struct exchange *exchange,
                  const struct error *refusal);

#endif
