/* Walks the program's table of routes. The order of the checks: request limit, path, method,
 * access; parameters and resources are the route's own. What a route has filled in is sent here and
 * nowhere else. Knows neither keys nor sessions: the program finds out who asks. */
#include "worker/route.h"

#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "http/response.h"
#include "store/logbook.h"
#include "store/transaction.h"

const struct error *route_store_error(enum store_result result)
{
    return result == STORE_DONE ? NULL : result == STORE_BUSY ? &error_busy : &error_internal;
}

const struct error *route_find_error(enum store_result result, const struct error *none)
{
    return result == STORE_NONE ? none : route_store_error(result);
}

const struct error route_answered = {0};

/* Finds the row of a program's table that a method and a path belong to, by comparing the path
 * segment by segment. It knows only what stands in the rows; what a row means, and what is answered
 * if none fits, is left to router.c. */

#define PATH_TABLE_ALLOW_BYTES 64

/* A {name} takes any segment that is not empty. */
static bool fits(const char *path, const struct request *request)
{
    size_t segment = 0;
    while (*path == '/') {
        size_t length = strcspn(++path, "/");
        struct text name = {path, length};
        if (segment >= request->segment_count || segment >= REQUEST_SEGMENTS_MAX)
            return false;
        const struct text *given = &request->segments[segment];
        if (*path == '{' ? given->length == 0 : !text_equals(name, *given))
            return false;
        path += length;
        segment++;
    }
    return segment == request->segment_count;
}

/* The paths /logs/ids and /logs/batch are no clientIds: a literal path that fits keeps the
 * templates away. */
static const char *find_path(const struct route *const *routes, const struct request *request)
{
    const char *found = NULL;
    for (; request->has_endpoint_path && *routes; routes++)
        if (fits((*routes)->path, request) && (!found || strchr(found, '{')))
            found = (*routes)->path;
    return found;
}

static const struct route *find_row(const struct route *const *routes, const char *path,
                                    enum method method)
{
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    while (*routes && ((*routes)->method != method || strcmp((*routes)->path, path) != 0))
        routes++;
    return *routes;
}

/* False: no route has the path. Otherwise *route is the one with the request's method, or NULL, and
 * allow gets the value of the Allow header. A path without {} goes before one with it; HEAD goes
 * where GET goes. The routes end with NULL. */
static bool path_table_find(const struct route *const *routes, const struct request *request,
                            const struct route **route, char allow[PATH_TABLE_ALLOW_BYTES])
{
    const char *path = find_path(routes, request);
    if (!path)
        return false;
    allow[0] = '\0';
    if (find_row(routes, path, METHOD_GET))
        strcat(allow, "GET, HEAD, ");
    if (find_row(routes, path, METHOD_POST))
        strcat(allow, "POST, ");
    if (find_row(routes, path, METHOD_PUT))
        strcat(allow, "PUT, ");
    if (find_row(routes, path, METHOD_DELETE))
        strcat(allow, "DELETE, ");
    strcat(allow, "OPTIONS");
    *route = find_row(routes, path, request->method);
    return true;
}

/* Saves only the sending: such bodies are small and cheap to make. */
static const char *tag_body(struct exchange *exchange)
{
    const struct buffer *body = &exchange->response->body;
    uint64_t hash = text_hash(TEXT_HASH_START, body->bytes, body->length);
    return arena_print(exchange->arena, "W/\"%016llx\"", (unsigned long long)hash);
}

/* Runs the route, unless the client has what it would answer already. */
static const struct error *answer(struct exchange *exchange)
{
    const struct route *route = exchange->route;
    const struct request *request = exchange->request;
    const char *tag = route->entity_tag ? route->entity_tag(exchange) : NULL;
    bool is_known = tag && entity_tag_matches(request->if_none_match, tag);
    const struct error *error = NULL;
    exchange->status = is_known ? 304 : route->status;
    exchange->response->member_id = exchange->identity.member_id;
    if (!is_known && route->prepare)
        error = route->prepare(exchange);
    if (!is_known && !error)
        error = route->answer(exchange);
    if (error == &route_answered)
        error = NULL;
    if (!is_known && !error)
        error = response_complete(exchange->response);
    if (error)
        return error;
    bool is_tagged = route->is_tagged && !exchange->is_private;
    if (is_tagged)
        tag = tag_body(exchange);
    if (tag)
        response_add_header(exchange->response, "ETag", tag);
    if (is_tagged && entity_tag_matches(request->if_none_match, tag))
        exchange->status = 304;
    if (route->sends_log_epoch)
        response_add_header_number(exchange->response, "X-Log-Epoch", exchange->identity.log_epoch);
    return NULL;
}

/* Who asks may be disabled, or lose the key, between the start of the request and its write. */
static const struct error *check_access(struct exchange *exchange, const struct router *router)
{
    struct identity *identity = &exchange->identity;
    if (exchange->route->access == ACCESS_PUBLIC)
        return NULL;
    const struct error *error = router->identify(exchange);
    if (!error)
        exchange->server_time_ms =
            store_server_time(exchange->store, exchange->server_time_ms, identity->last_stamp_ms,
                              identity->restored_ms);
    if (!error && identity->member_id)
        store_write_as(exchange->store, exchange->arena, identity);
    if (!error && exchange->route->access == ACCESS_OPERATOR)
        store_act_as_operator(exchange->store, identity->callsign);
    return error;
}

/* Who asks, and the log, are read in one snapshot. */
static const struct error *answer_from_snapshot(struct exchange *exchange,
                                                const struct router *router)
{
    if (!exchange->store)
        return exchange->store_error;
    if (store_begin_read(exchange->store, &exchange->server_time_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error = check_access(exchange, router);
    if (!error && exchange->route->use == USES_SNAPSHOT)
        error = answer(exchange);
    store_end_read(exchange->store);
    return error;
}

static const struct error *answer_as_asked(struct exchange *exchange, const struct router *router)
{
    const struct route *route = exchange->route;
    const struct error *error = NULL;
    exchange->server_time_ms = exchange->request->arrived_ms;
    if (route->access != ACCESS_PUBLIC || route->use == USES_SNAPSHOT)
        error = answer_from_snapshot(exchange, router);
    else if (route->use == USES_STORE && !exchange->store)
        error = exchange->store_error;
    if (!error && route->use != USES_SNAPSHOT)
        error = answer(exchange);
    return error;
}

/* Whoever opens the base path itself, as people do who have it to give to a program, has no segment
 * behind it, or an empty one. */
static const struct error *refuse_path(const struct exchange *exchange, const struct router *router)
{
    const struct request *request = exchange->request;
    bool is_base = request->has_endpoint_path &&
                   (request->segment_count == 0 ||
                    (request->segment_count == 1 && request->segments[0].length == 0));
    return is_base && router->base_message
               ? error_with_details(exchange->arena, &error_not_found, "path", router->base_message)
               : &error_not_found;
}

static const struct error *dispatch(struct exchange *exchange, const struct router *router)
{
    struct request *request = exchange->request;
    char allow[PATH_TABLE_ALLOW_BYTES];
    if (router->simplify_path)
        router->simplify_path(request);
    if (!path_table_find(router->routes, request, &exchange->route, allow))
        return refuse_path(exchange, router);
    if (!exchange->route)
        response_add_header(exchange->response, "Allow", allow);
    if (request->method == METHOD_OPTIONS)
        return NULL;
    if (exchange->route && router->lead && router->lead(exchange))
        return NULL;
    return exchange->route ? answer_as_asked(exchange, router) : &error_method_not_allowed;
}

static const char *cache_rule(const struct exchange *exchange, const struct error *error)
{
    const struct route *route = exchange->route;
    if (error || exchange->is_private || !route || (!route->max_age_s && !route->is_tagged))
        return "no-store";
    if (route->is_kept_privately)
        return "private, no-cache";
    return route->is_tagged ? "no-cache"
                            : arena_print(exchange->arena, "public, max-age=%d", route->max_age_s);
}

static void send(const struct router *router, struct exchange *exchange, const struct error *error)
{
    struct response *response = exchange->response;
    response_add_header(response, "Cache-Control", cache_rule(exchange, error));
    if (!error && exchange->file_name)
        response_add_header(
            response, "Content-Disposition",
            arena_print(exchange->arena, "attachment; filename=\"%s\"", exchange->file_name));
    if (error && error->status == 500)
        log_line("answered with %s", error->code);
    if (error)
        response_set_error(response, error);
    if (error && router->show_error)
        router->show_error(exchange, error);
    response_send(response, error             ? error->status
                            : exchange->route ? exchange->status
                                              : 204); /* OPTIONS */
}

void router_serve(const struct router *router, struct exchange *exchange, bool is_limited)
{
    exchange->routes = router->routes;
    const struct error *error = is_limited ? &error_rate_limited : dispatch(exchange, router);
    send(router, exchange, error);
    if (!exchange->store)
        return;
    store_write_as(exchange->store, NULL, NULL);
    router->finish(exchange, error);
}
