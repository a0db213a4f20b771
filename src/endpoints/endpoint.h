/* What an endpoint is: one constant row with everything that the router and the API description
 * need to know, and a function that answers. */
#ifndef QSOSYNC_ENDPOINTS_ENDPOINT_H
#define QSOSYNC_ENDPOINTS_ENDPOINT_H

#include "base/arena.h"
#include "base/fault.h"
#include "store/store.h"
#include "worker/request.h"
#include "worker/response.h"

/* The digits of a number that a macro names, as a string literal. */
#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number

/* One request on its way through its endpoint. */
struct exchange {
    const struct endpoint *endpoint;
    struct request *request;
    struct response *response;
    struct arena *arena;
    struct store *store;
    struct identity identity; /* not filled where the endpoint needs no scope */
    int64_t server_time_ms;   /* no write after it is missing from the snapshot (GET) */
    const char *fault_field;  /* the details of a fault that has any */
    const char *fault_message;
};

enum endpoint_use {
    USES_NOTHING,  /* public, no database */
    USES_SNAPSHOT, /* answers inside a read transaction */
    USES_WRITES,   /* opens write transactions of its own */
};

/* A parameter in the query or the path, for the API description and the messages. */
struct parameter {
    const char *name;
    const char *place;  /* "query", "path" or "header" */
    const char *schema; /* JSON */
    const char *description;
};

#define ENDPOINT_PARAMETERS_MAX 4
#define ENDPOINT_FAULTS_MAX 6

struct endpoint {
    enum method method;
    const char *path; /* "/logs/{clientId}" */
    enum scope scope; /* SCOPE_NONE: public */
    enum endpoint_use use;
    /* Answers through exchange->response and returns NULL, or returns the fault to answer with. */
    const struct fault *(*answer)(struct exchange *exchange);
    const char *operation; /* the name of the operation in the API description */
    const char *summary;
    const char *description;
    struct parameter parameters[ENDPOINT_PARAMETERS_MAX]; /* ends with a NULL name */
    const char *request_schema;                           /* name of a schema; NULL: no body */
    int status;                                           /* of success */
    const char *success;                                  /* what success means */
    const char *response_schema;                          /* name of a schema; NULL: no body */
    const char *response_headers; /* JSON members of a headers object; NULL: none of its own */
    bool conditional;             /* answers If-None-Match with 304 */
    const struct fault
        *faults[ENDPOINT_FAULTS_MAX]; /* ends with NULL; 500 and 405 go without saying */
};

extern const struct endpoint endpoint_me;
extern const struct endpoint endpoint_logs_list;
extern const struct endpoint endpoint_logs_ids;
extern const struct endpoint endpoint_logs_batch;
extern const struct endpoint endpoint_logs_delete;
extern const struct endpoint endpoint_openapi;

/* All of them; ends with NULL. */
extern const struct endpoint *const endpoints[];

/* A fault of one field, with its details. */
const struct fault *endpoint_refuse(struct exchange *exchange, const char *field,
                                    const char *message);

/* NULL for STORE_DONE, 500 for everything that is not the client's doing. */
const struct fault *endpoint_store_fault(enum store_result result);

/* The headers that every answer about the log carries. */
void endpoint_add_log_epoch(struct exchange *exchange);

/* True if the request's If-None-Match holds this entity tag (weak comparison, RFC 9110, 13.1.2). */
bool endpoint_matches_etag(const struct exchange *exchange, const char *etag);

#endif
