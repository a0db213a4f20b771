/* The endpoints: the routes of the API, which schema/openapi/document.json describes. */
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

/* Opens a write transaction if the request's key still works then (API section 5). */
const struct error *endpoint_begin_write(struct exchange *exchange,
                                         struct transaction *transaction);

/* Who sends the request: the presented key becomes a member and a scope (API section 5). NULL: the
 * exchange's identity is filled. Otherwise the error to answer with: no key, a mistyped, unknown or
 * revoked one, an inactive member, a scope that the route does not take, or a store that fails. */
const struct error *endpoint_identify(struct exchange *exchange);

/* After the response, outside any transaction: notes the day of the key's use and, for its owner,
 * the error of the whole request, or the rejected entries of a batch (no code: there are none). A
 * request that the limit has refused has no identity yet (key number 0): its key is looked up.
 * Nothing is noted of errors that the client cannot correct, nor of a repetition of what was noted
 * in the last minute. */
void endpoint_finish(const struct exchange *exchange, const struct error *error);

#endif
