/* A route is what a program offers at a path: one constant row with everything that the router
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

/* One request and its response, while a route handles them. */
struct exchange {
    const struct route *route; /* NULL: no route has this path and method */
    struct request *request;
    struct response *response;
    struct buffer *body; /* memory for the response */
    struct arena *arena;
    /* NULL: not open; a route that uses the store is called only if it is open */
    struct store *store;
    const struct error *store_error; /* the error to answer with if the store is not open */
    struct shared_file *limit;       /* table of the request limit */
    const struct shares *shares;     /* requests that this worker and others are serving */
    struct client *client;           /* the client for whom the request is served */
    bool waits;                      /* the request must wait for the member's turn */
    /* the caller, with the details that the route's access needs */
    struct identity identity;
    struct member member;    /* the caller, if the route is for members */
    const struct club *club; /* result of club_of; NULL until its first call */
    /* found by the route's prepare function: the object in the request */
    const struct json_fields *sent;
    int64_t number;         /* number in the path, found by prepare */
    struct member subject;  /* member with that number, found by prepare */
    int64_t server_time_ms; /* every write with an earlier stamp is in the snapshot */
    /* status for success: the row's, unless the answer sets another status */
    int status;
    bool is_private; /* the answer identifies the caller, even if its other content is public: it is
                        neither cached nor tagged */
    /* file name under which a browser saves the answer; NULL: the browser shows the answer */
    const char *file_name;
    /* set by an answer that has rejected entries; no code: no entry was rejected */
    struct refusal refusal;
};

enum route_access {
    ACCESS_PUBLIC,
    ACCESS_READ_KEY,  /* an API key of either scope */
    ACCESS_WRITE_KEY, /* a member who may write */
    ACCESS_UPLOADS,   /* allowed while uploads are on; the route looks up the token */
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

/* a public route, whose body is read before the caller is known */
#define BODY_UNKNOWN_MAX_BYTES 65536

/* Bounds for the body of a request. Reading stops at these bounds (worker/body.h). */
struct route_body {
    enum body_type type;
    size_t bytes_max;        /* 0: the body is not read */
    struct json_bounds json; /* items in an object or a form; 0: the body is neither */
};

struct route {
    enum method method;
    const char *path; /* "/logs/{clientId}" */
    enum route_access access;
    enum route_use use;
    const struct route_body *body; /* only for a POST or PUT */
    int status;                    /* status for success */
    bool sends_log_epoch;          /* answers carry X-Log-Epoch */
    int max_age_s;                 /* for how long any cache may keep an answer; 0: not at all */
    /* the answer appends the fields of an object; the router adds the braces */
    bool is_object;
    bool is_tagged;         /* the router computes the entity tag from the finished body */
    bool is_kept_privately; /* the asking browser may cache the answer, but no shared cache may */
    /* Returns the entity tag of the answer, with its quotes, in the arena, for a route that can
     * determine it without building the body. NULL: the answer has no tag. */
    const char *(*entity_tag)(struct exchange *exchange);
    /* Runs before `answer`. Returns NULL, or the error to answer with. NULL in place of a function:
     * nothing runs. */
    const struct error *(*prepare)(struct exchange *exchange);
    /* Adds headers, appends the body and returns NULL, or returns the error to answer with. Sends
     * nothing. */
    const struct error *(*answer)(struct exchange *exchange);
};

/* Returns the error to answer with: NULL for STORE_DONE, 500 for every failure that the client did
 * not cause. */
const struct error *route_store_error(enum store_result result);

/* Returns the error to answer with, as route_store_error does, but `none` for STORE_NONE. */
const struct error *route_find_error(enum store_result result, const struct error *none);

/* Records the member for whom the request is served, before any work for that member. Returns NULL,
 * or an error if the member's other requests already use as many workers as allowed. The request
 * then waits, and is routed again when its turn comes. */
const struct error *route_take_turn(struct exchange *exchange, int64_t member_id);

/* Returns whether each row has the limits for its bodies: at most BODY_UNKNOWN_MAX_BYTES if the
 * route is public. Otherwise the log names the row, and the program must not start. */
bool routes_check(const struct route *const *routes);

/* Prints the table for a person or a test, one line per route, with tabs between: method, path, who
 * may use the route, and its bodies' limits for bytes, items and elements of a list. */
void routes_print(const struct route *const *routes);

/* The error that a route returns after writing an error in its own form. The status and body are
 * sent unchanged. */
extern const struct error route_answered;

/* A program lists the names of its routes once, in a macro that applies its argument to each name.
 * These macros turn the list into declarations, an enum and the rows of a table. */
#define ROUTE_DECLARE(name) extern const struct route route_##name;
#define ROUTE_ENUMERATE(name) ROUTE_NUMBER_##name,
#define ROUTE_ADDRESS(name) &route_##name,

/* Begins the row of a route. A route that the list lacks does not compile. */
#define ROUTE(name)                                                                                \
    _Static_assert(ROUTE_NUMBER_##name >= 0, "the program lists it");                              \
    const struct route route_##name

/* The parts of the router that each program defines. */
struct router {
    const struct route *const *routes; /* ends with NULL */
    /* Normalises parts of a path that clients write differently. NULL: paths are used unchanged. */
    void (*simplify_path)(struct request *request);
    /* Redirects the request if necessary, and returns whether it did. Runs outside of any
     * transaction. NULL: no request is redirected. */
    bool (*lead)(struct exchange *exchange);
    /* Identifies the caller, inside a read transaction, and checks their access to the route.
     * Returns NULL with the exchange's identity filled, or the error to answer with. Not called for
     * public routes. */
    const struct error *(*identify)(struct exchange *exchange);
    /* Stores data about the request, after the response and outside of any transaction, if the
     * store is open. */
    void (*finish)(const struct exchange *exchange, const struct error *error);
    /* text of the 404 for the base path itself, which is not a route; NULL: no further text */
    const char *base_message;
    /* Replaces the JSON of an error by a page if a person asked. NULL: errors are always JSON. */
    void (*show_error)(struct exchange *exchange, const struct error *error);
};

/* Answers any request. If `refusal` is not NULL, the answer is that error. The exchange has
 * request, response, arena and store. Returns false, and sends nothing, if the request must wait
 * for its turn. */
bool router_serve(const struct router *router, struct exchange *exchange,
                  const struct error *refusal);

#endif
