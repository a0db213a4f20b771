/* What an endpoint is: one constant row with everything that the router and the API description
 * need to know, and a function that answers. */
#ifndef QSOSYNC_API_ENDPOINT_H
#define QSOSYNC_API_ENDPOINT_H

#include "base/arena.h"
#include "http/error.h"
#include "http/request.h"
#include "http/response.h"
#include "store/credentials.h"
#include "store/qsos.h"
#include "store/refusals.h"

/* The digits of a number that a macro names, as a string literal. */
#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number

/* One request on its way through its endpoint. */
struct exchange {
    const struct endpoint *endpoint;
    const struct endpoint *const
        *endpoints; /* all there are, for the description; ends with NULL */
    struct request *request;
    struct response *response;
    struct arena *arena;
    struct store *store;
    struct identity identity; /* filled only where the endpoint needs a scope */
    int64_t server_time_ms;   /* every write with an earlier stamp is in the snapshot (GET) */
    struct refusal refusal;   /* set by an endpoint that has rejected entries; no code: none */
};

enum endpoint_use {
    USES_NOTHING,  /* public, no database */
    USES_SNAPSHOT, /* answers inside a read transaction */
    USES_WRITES,   /* opens write transactions of its own */
};

/* A parameter, by the names of OpenAPI's Parameter Object. */
struct parameter {
    const char *name;
    const char *in;     /* "query", "path" or "header" */
    const char *schema; /* JSON */
    const char *description;
};

/* The parameter of an endpoint that has an entity tag. */
#define ENDPOINT_IF_NONE_MATCH                                                                     \
    {                                                                                              \
        "If-None-Match", "header", "{\"type\":\"string\"}", "The ETag of an earlier answer."       \
    }

#define PAGE_LIMIT_MAX 500    /* QSOs in an answer of GET /logs (API section 8) */
#define BATCH_ENTRIES_MAX 200 /* QSOs in POST /logs/batch (API section 8) */

#define ENDPOINT_PARAMETERS_MAX 5
#define ENDPOINT_ERRORS_MAX 6

struct endpoint {
    enum method method;
    const char *path; /* "/logs/{clientId}" */
    enum scope scope; /* SCOPE_NONE: public */
    enum endpoint_use use;
    bool sends_log_epoch; /* answers carry X-Log-Epoch */
    int max_age_s;        /* how long an answer may be cached; 0: not at all */
    /* The entity tag of what answer would append, with its quotes, in the arena; the router answers
     * If-None-Match by it. NULL: there is none. */
    const char *(*entity_tag)(struct exchange *exchange);
    /* Adds headers and appends the body, and returns NULL; or returns the error to answer with.
     * Sends nothing. */
    const struct error *(*answer)(struct exchange *exchange);
    const char *operation_id; /* this and the rest as in OpenAPI's Operation Object */
    const char *summary;
    const char *description;
    struct parameter parameters[ENDPOINT_PARAMETERS_MAX]; /* ends with a NULL name */
    const char *request_schema;                           /* name of a schema; NULL: no body */
    int status;                                           /* of success */
    const char *success;                                  /* what success means */
    const char *response_schema;                          /* name of a schema; NULL: no body */
    /* Ends with NULL; 405 and 500 are always possible. */
    const struct error *errors[ENDPOINT_ERRORS_MAX];
};

extern const struct endpoint endpoint_me;
extern const struct endpoint endpoint_logs_list;
extern const struct endpoint endpoint_logs_ids;
extern const struct endpoint endpoint_logs_batch;
extern const struct endpoint endpoint_logs_delete;
extern const struct endpoint endpoint_openapi;

/* One field is not valid. */
const struct error *endpoint_refuse(struct exchange *exchange, const char *field,
                                    const char *message);

/* Opens a write transaction if the request's key still works then (API section 5). */
const struct error *endpoint_begin_write(struct exchange *exchange,
                                         struct transaction *transaction);

/* NULL for STORE_DONE, 500 for every failure that the client did not cause. */
const struct error *endpoint_store_error(enum store_result result);

#endif
