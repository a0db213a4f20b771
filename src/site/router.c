/* Walks the route table. The order of the checks: request limit, path, method; parameters and
 * resources are the route's own. What a route has filled in is sent here and nowhere else. */
#include "site/router.h"

#include "base/log.h"
#include "http/entity_tag.h"
#include "site/route.h"
#include "worker/path_table.h"

static const struct route *const routes[] = {
    &route_front_page,    &route_health,    &route_spots,
    &route_spots_of_band, &route_spot_near, &route_spot_statistics,
};
#define ROUTE_COUNT (int)(sizeof routes / sizeof *routes)

static bool describe_row(int index, enum method *method, const char **path)
{
    if (index >= ROUTE_COUNT)
        return false;
    *method = routes[index]->method;
    *path = routes[index]->path;
    return true;
}

static const struct error *answer_from_snapshot(struct exchange *exchange)
{
    int64_t now_ms = exchange->request->arrived_ms;
    if (!exchange->store || store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error = exchange->route->answer(exchange);
    store_end_read(exchange->store);
    return error;
}

static const struct error *answer(struct exchange *exchange)
{
    exchange->status = exchange->route->status;
    return exchange->route->use == ROUTE_USES_SNAPSHOT ? answer_from_snapshot(exchange)
                                                       : exchange->route->answer(exchange);
}

static const struct error *dispatch(struct exchange *exchange)
{
    char allow[PATH_TABLE_ALLOW_BYTES];
    int row = path_table_find(describe_row, exchange->request, allow);
    if (row == PATH_TABLE_UNKNOWN)
        return &error_not_found;
    if (row == PATH_TABLE_OTHER_METHOD)
        response_add_header(exchange->response, "Allow", allow);
    else
        exchange->route = routes[row];
    if (exchange->request->method == METHOD_OPTIONS)
        return NULL;
    return exchange->route ? answer(exchange) : &error_method_not_allowed;
}

/* The body is small, and making it costs little: only sending it is saved. */
static bool is_unchanged(struct exchange *exchange)
{
    const struct buffer *body = &exchange->response->body;
    if (!exchange->route->is_tagged)
        return false;
    const char *tag =
        arena_print(exchange->arena, "W/\"%016llx\"",
                    (unsigned long long)text_hash(TEXT_HASH_START, body->bytes, body->length));
    response_add_header(exchange->response, "ETag", tag);
    return entity_tag_matches(exchange->request->if_none_match, tag);
}

static void send(struct exchange *exchange, const struct error *error)
{
    struct response *response = exchange->response;
    response_add_header(response, "Cache-Control",
                        !error && exchange->route && exchange->route->is_tagged ? "no-cache"
                                                                                : "no-store");
    if (error) {
        if (error->status == 500)
            log_line("answered with %s", error->code);
        response_set_error(response, error);
        response_send(response, error->status);
    } else if (!exchange->route) {
        response_send(response, 204); /* OPTIONS */
    } else {
        response_send(response, is_unchanged(exchange) ? 304 : exchange->status);
    }
}

void router_serve(struct worker *worker, struct request *request, bool is_refused)
{
    struct exchange exchange = {.request = request,
                                .response = &worker->response,
                                .arena = &worker->arena,
                                .store = worker->store};
    send(&exchange, is_refused ? &error_rate_limited : dispatch(&exchange));
}
