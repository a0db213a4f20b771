/* Functions for all endpoints. An endpoint is a route of the API, which
 * schema/openapi/document.json describes. */
#ifndef QSOSYNC_API_ENDPOINT_H
#define QSOSYNC_API_ENDPOINT_H

#include "store/transaction.h"
#include "worker/input.h"

#define API_ENDPOINTS(ONE)                                                                         \
    ONE(me)                                                                                        \
    ONE(logs_list)                                                                                 \
    ONE(logs_ids)                                                                                  \
    ONE(logs_batch)                                                                                \
    ONE(logs_delete)                                                                               \
    ONE(openapi)

API_ENDPOINTS(ROUTE_DECLARE)
enum { API_ENDPOINTS(ROUTE_ENUMERATE) };

/* Opens a write transaction if the request's key is still valid (API section 5). */
const struct error *endpoint_begin_write(struct exchange *exchange,
                                         struct transaction *transaction);

/* Identifies the sender: the presented key becomes a member and a scope (API section 5). Fills the
 * exchange's identity, and returns NULL. Returns an error if the key is missing, mistyped, unknown
 * or revoked, if the member is inactive, or if the scope is too small. A failure of the store is
 * also an error. */
const struct error *endpoint_identify(struct exchange *exchange);

/* Records data about the request; call it after the response, outside any transaction. Records the
 * day on which the key was used. For the key's owner, also records why the request was refused, or
 * the first rejection and the number of rejections in a batch. A request over the limit has no
 * identity yet (key number 0), so its key is looked up, at most once per second. Only errors with
 * status 400, 403, 413, 429 or 503 are recorded, and no repetitions within a minute. */
void endpoint_finish(const struct exchange *exchange, const struct error *error);

#endif
