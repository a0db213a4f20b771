/* An endpoint is a route of the API, with the sentences that the API's description says of it. */
#ifndef QSOSYNC_API_ENDPOINT_H
#define QSOSYNC_API_ENDPOINT_H

#include "store/transaction.h"
#include "worker/route.h"

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

#define PAGE_LIMIT_MAX 500 /* QSOs in an answer of GET /logs (API section 8) */

#define ENDPOINT_PARAMETERS_MAX 6
#define ENDPOINT_ERRORS_MAX 6

struct endpoint {
    struct route route;
    const char *operation_id; /* this and the rest as in OpenAPI's Operation Object */
    const char *summary;
    const char *description;
    struct parameter parameters[ENDPOINT_PARAMETERS_MAX]; /* ends with a NULL name */
    const char *request_schema;                           /* name of a schema; NULL: no body */
    const char *success;                                  /* what success means */
    const char *response_schema;                          /* name of a schema; NULL: no body */
    /* Ends with NULL; 405 and 500 are always possible. */
    const struct error *errors[ENDPOINT_ERRORS_MAX];
};

/* All endpoints, in the order of the description. */
#define API_ENDPOINTS(ONE)                                                                         \
    ONE(me)                                                                                        \
    ONE(logs_list)                                                                                 \
    ONE(logs_ids)                                                                                  \
    ONE(logs_batch)                                                                                \
    ONE(logs_delete)                                                                               \
    ONE(openapi)

#define ENDPOINT_DECLARE(name) extern const struct endpoint endpoint_##name;
#define ENDPOINT_ROUTE(name) &endpoint_##name.route,
API_ENDPOINTS(ENDPOINT_DECLARE)
enum { API_ENDPOINTS(ROUTE_ENUMERATE) };

/* Begins the row of an endpoint. One that the list lacks does not build. */
#define ENDPOINT(name)                                                                             \
    _Static_assert(ROUTE_NUMBER_##name >= 0, "the list has it");                                   \
    const struct endpoint endpoint_##name

/* Every route of the API's program is part of an endpoint. */
static inline const struct endpoint *endpoint_of(const struct route *route)
{
    return (const struct endpoint *)route; /* its first part */
}

/* One field is not valid. */
const struct error *endpoint_refuse(struct exchange *exchange, const char *field,
                                    const char *message);

/* Opens a write transaction if the request's key still works then (API section 5). */
const struct error *endpoint_begin_write(struct exchange *exchange,
                                         struct transaction *transaction);

/* Who sends the request: the presented key becomes a member and a scope (API section 5). */

/* NULL: *identity is filled. Otherwise the error to answer with: no key, a mistyped, unknown or
 * revoked one, an inactive member, or a store that fails. */
const struct error *authentication_identify(const struct request *request, struct store *store,
                                            struct identity *identity);

/* The same for an exchange, with the scope that its route needs. */
const struct error *authentication_check(struct exchange *exchange);

/* Notes the day of the key's use. Outside any transaction. */
void authentication_note_use(const struct exchange *exchange);

/* -- The last refusal of each key, for its owner ----------------------------------------------- */

/* Notes the error of a whole request, or the rejected entries of a batch (no code: there are none).
 * A request that the limit has refused has no identity yet (key number 0): its key is looked up.
 * Does nothing for errors that the client cannot correct, nor for a repetition of what was noted in
 * the last minute. Outside any transaction, after the response. */
void refusals_note(const struct exchange *exchange, const struct error *error);

#endif
