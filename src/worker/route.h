/* A route is a method and a path that a program serves. A route has one constant row with
 * everything that the router needs, and a function that answers. An endpoint is a route of the API.
 */
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
    struct buffer *body; /* buffer for the body of the response */
    struct arena *arena;
    /* NULL: not open; routes that use the store are called only if the store is open */
    struct store *store;
    /* whether the store is an author's sandbox (trial.h), and whether the sandbox has reached its
     * size limit */
    bool is_trial, is_full;
    const struct error *store_error; /* the error to answer with if the store is not open */
    struct shared_file *limit;       /* table of the request limit */
    /* this worker's entry in the table of the workers' clients (shares.h) */
    const struct shares *shares;
    struct client *client; /* the client for whom the request is served */
    bool waits;            /* whether the request must wait for the member's turn */
    /* the caller, with the details that the route's access needs */
    struct identity identity;
    struct text program; /* the program that sent a request with a key or token; no text: unknown */
    struct member member;    /* the caller, if the route is for members */
    const struct club *club; /* result of club_of; NULL until the first call to club_of */
    /* found by the route's prepare function: the object in the request */
    const struct json_fields *sent;
    int64_t number;        /* number in the path, found by prepare */
    struct member subject; /* member with that number, found by prepare */
    /* the service's time; every write with an earlier stamp is in the snapshot */
    int64_t server_time_ms;
    /* status for success: the row's status, unless the answer sets another status */
    int status;
    /* whether the answer identifies the caller, even if its other content is public, so that the
     * answer is neither cached nor tagged */
    bool is_private;
    /* file name under which a browser saves the answer; NULL: the browser shows the answer */
    const char *file_name;
    /* set by an answer that has rejected entries; no code: no entry was rejected */
    struct refusal refusal;
};

enum route_access {
    ACCESS_PUBLIC,
    ACCESS_READ_KEY,  /* an API key with either scope */
    ACCESS_WRITE_KEY, /* an API key with the scope WRITE */
    ACCESS_UPLOADS,   /* allowed while uploads are on; the route looks up the token */
    ACCESS_MEMBER,    /* a member who is signed in */
    /* a signed-in member, in their own log or in the log of a station that they may operate; the
     * exchange's member and identity are those of the log */
    ACCESS_LOG,
    ACCESS_OPERATOR, /* an operator of the club who has recently given the password, a passkey or an
                      * invitation */
    ACCESS_PEER,     /* another club's service */
};

enum route_use {
    USES_NOTHING,  /* answers with or without a database */
    USES_SNAPSHOT, /* answers inside a read transaction */
    USES_STORE,    /* opens its own transactions */
};

enum body_type {
    BODY_JSON, /* Content-Type: application/json */
    BODY_JSON_OR_FORM,
    BODY_OF_ANY_TYPE, /* programs send the body with any type */
};

/* largest body of a public route, which is read before the caller is known */
#define BODY_UNKNOWN_MAX_BYTES 65536

/* Bounds for the body of a request. Reading stops at these bounds (worker/body.h). */
struct route_body {
    enum body_type type;
    size_t bytes_max;        /* 0: the body is not read */
    struct json_bounds json; /* bounds for an object or a form; no items: the body is neither */
};

struct route {
    enum method method;
    const char *path; /* "/logs/{clientId}" */
    enum route_access access;
    enum route_use use;
    const struct route_body *body; /* only for a POST or PUT */
    int status;                    /* status for success */
    bool sends_log_epoch;          /* whether answers have the header X-Log-Epoch */
    /* seconds for which any cache may keep an answer; 0: caches may not keep it */
    int max_age_s;
    /* whether the answer appends the fields of an object, to which the router adds the braces */
    bool is_object;
    bool is_tagged; /* whether the router computes the entity tag from the finished body */
    /* whether the browser may cache the answer for its session, although shared caches may not */
    bool is_kept_privately;
    /* Returns the answer's entity tag, with its quotes, in the arena, if the route can determine
     * the tag without building the body. If the result is NULL, the answer has no tag. */
    const char *(*entity_tag)(struct exchange *exchange);
    /* Prepares the exchange for `answer`. Returns NULL, or the error to answer with. If this field
     * is NULL, nothing runs before `answer`. */
    const struct error *(*prepare)(struct exchange *exchange);
    /* Adds headers, appends the body and returns NULL, or returns the error to answer with. Does
     * not send anything. */
    const struct error *(*answer)(struct exchange *exchange);
};

/* Returns the error to answer with: NULL for STORE_DONE, error_busy for STORE_BUSY, and otherwise
 * error_internal. */
const struct error *route_store_error(enum store_result result);

/* Returns `none` for STORE_NONE, and otherwise the same as route_store_error. */
const struct error *route_find_error(enum store_result result, const struct error *none);

/* Records the member for whom the request is served, before any work for that member. Returns NULL,
 * or an error if other requests of the member, or from the same address, already use as many
 * workers as allowed. The request then waits, and is routed again when its turn comes. */
const struct error *route_take_turn(struct exchange *exchange, int64_t member_id);

/* Returns whether each row has valid limits for its bodies, which are at most
 * BODY_UNKNOWN_MAX_BYTES for a public route. If not, logs the row with its fault, and the program
 * must not start. */
bool routes_check(const struct route *const *routes);

/* Prints the table for people and tests, one line per route. Tabs separate the method, the path,
 * the access, and a body's limits for bytes, items and list elements. */
void routes_print(const struct route *const *routes);

/* The error that a route returns after writing an error in its own format. The status and body are
 * sent unchanged. */
extern const struct error route_answered;

/* A program lists the names of its routes once, in a macro that applies its argument to each name.
 * These macros turn the list into declarations, an enum and the rows of a table. */
#define ROUTE_DECLARE(name) extern const struct route route_##name;
#define ROUTE_ENUMERATE(name) ROUTE_NUMBER_##name,
#define ROUTE_ADDRESS(name) &route_##name,

/* Begins the row of a route. A route that is missing from the list does not compile. */
#define ROUTE(name)                                                                                \
    _Static_assert(ROUTE_NUMBER_##name >= 0, "the program lists it");                              \
    const struct route route_##name

/* The parts of the router that each program defines. */
struct router {
    const struct route *const *routes; /* ends with NULL */
    /* Normalises parts of a path that clients write in different ways. NULL: paths are used
     * unchanged. */
    void (*simplify_path)(struct request *request);
    /* Redirects the request if necessary. Returns whether the request was redirected. Runs outside
     * of any transaction. NULL: no request is redirected. */
    bool (*redirect)(struct exchange *exchange);
    /* Identifies the caller, inside a read transaction, and checks their access to the route. Fills
     * the exchange's identity and returns NULL, or returns the error to answer with. Not called for
     * public routes. */
    const struct error *(*identify)(struct exchange *exchange);
    /* Stores data about the request, after the response and outside of any transaction, if the
     * store is open. */
    void (*finish)(const struct exchange *exchange, const struct error *error);
    /* text of the 404 answer for the base path itself, which is not a route; NULL: no text */
    const char *base_message;
    /* Replaces the JSON of an error with a page if a person has made the request. NULL: errors are
     * always JSON. */
    void (*show_error)(struct exchange *exchange, const struct error *error);
};

/* Answers any request. If `refusal` is not NULL, the answer is that error. The caller has set the
 * exchange's request, response, arena and store. Returns false, and sends nothing, if the request
 * must wait for its turn. */
bool router_serve(const struct router *router, struct exchange *exchange,
                  const struct error *refusal);

#endif
