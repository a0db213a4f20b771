/* GET /healthz: tells a monitoring program whether the service can read its logbook, and nothing
 * else. Nobody has to log in, so no number and no version is in the answer; numbers are written by
 * the command metrics. */
#include "qso/spot.h"
#include "site/routes.h"
#include "store/logbook.h"
#include "store/spots.h"

static bool stop(void *context, const struct spot *spot)
{
    (void)context;
    (void)spot;
    return false;
}

static bool can_read(struct exchange *exchange)
{
    int64_t now_ms = exchange->request->arrived_ms;
    if (!exchange->store || store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return false;
    enum store_result result = store_list_spots(exchange->store, stop, NULL);
    store_end_read(exchange->store);
    return result == STORE_DONE;
}

static const struct error *answer(struct exchange *exchange)
{
    bool healthy = can_read(exchange);
    if (!healthy)
        exchange->status = 503;
    buffer_append_string(&exchange->response->body,
                         healthy ? "{\"status\":\"ok\"}" : "{\"status\":\"unavailable\"}");
    return NULL;
}

ROUTE(health) = {
    .method = METHOD_GET,
    .path = "/healthz",
    .use = USES_NOTHING,
    .status = 200,
    .answer = answer,
};
