/* Checks a request against the program's table of routes in this order: path, method, access.
 * The route checks parameters and resources. Only this file sends the response that a route has
 * filled in. Keys and sessions are not handled here: the program identifies the caller. */
#include "worker/route.h"

#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/text_hash.h"
#include "http/entity_tag.h"
#include "http/response.h"
#include "store/log/logbook.h"
#include "store/operator_log.h"
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

const struct error *route_take_turn(struct exchange *exchange, int64_t member_id)
{
    exchange->client->member_id = member_id;
    exchange->waits = !shares_take(exchange->shares, exchange->client);
    return exchange->waits ? &error_share_used : NULL;
}

/* Returns whether the request's path fits a route's path. A {name} matches any segment that is not
 * empty. */
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

/* Finds the route for a path. A literal path has precedence over templates: "ids" in /logs/ids is
 * not a clientId. */
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
    while (*routes && ((*routes)->method != method || strcmp((*routes)->path, path) != 0))
        routes++;
    return *routes;
}

/* Returns the value of the Allow header for a path. */
static const char *allowed(const struct route *const *routes, const char *path, struct arena *arena)
{
    static const char *const words[] = {[METHOD_GET] = "GET, HEAD, ",
                                        [METHOD_POST] = "POST, ",
                                        [METHOD_PUT] = "PUT, ",
                                        [METHOD_DELETE] = "DELETE, "};
    const char *allow = "";
    for (enum method method = 0; method < sizeof words / sizeof *words; method++)
        if (words[method] && find_row(routes, path, method))
            allow = arena_print(arena, "%s%s", allow, words[method]);
    return arena_print(arena, "%sOPTIONS", allow);
}

/* Returns the entity tag of the finished body. If the client already has this body, only the
 * transmission is saved. This is enough for routes whose bodies are small and quick to build. */
static const char *tag_body(struct exchange *exchange)
{
    const struct buffer *body = exchange->body;
    uint64_t hash = text_hash(TEXT_HASH_START, body->bytes, body->length);
    return arena_print(exchange->arena, "W/\"%016llx\"", (unsigned long long)hash);
}

static const struct error *run(struct exchange *exchange)
{
    const struct route *route = exchange->route;
    buffer_append(exchange->body, "{", route->is_object);
    const struct error *error = route->prepare ? route->prepare(exchange) : NULL;
    if (!error)
        error = route->answer(exchange);
    buffer_append(exchange->body, "}", route->is_object);
    return error && error != &route_answered ? error : response_complete(exchange->response);
}

/* Runs the route, unless the client already has its answer. */
static const struct error *answer(struct exchange *exchange)
{
    const struct route *route = exchange->route;
    const char *known = exchange->request->if_none_match;
    const char *tag = route->entity_tag ? route->entity_tag(exchange) : NULL;
    exchange->status = route->status;
    exchange->response->member_id = exchange->is_trial ? 0 : exchange->identity.member_id;
    if (!tag || !entity_tag_matches(known, tag))
        TRY(run(exchange));
    if (route->is_tagged && !exchange->is_private)
        tag = tag_body(exchange);
    if (tag)
        response_add_header(exchange->response, "ETag", tag);
    if (tag && entity_tag_matches(known, tag))
        exchange->status = 304;
    if (route->sends_log_epoch)
        response_add_header_number(exchange->response, "X-Log-Epoch", exchange->identity.log_epoch);
    return NULL;
}

/* The member as whom all authors in sandboxes share the workers. */
#define TRIAL_CLIENT (-1)

/* Identifies the caller, and checks the access. A write checks the caller again (store_write_as),
 * because the caller can be disabled, or lose the key, after the request began. */
static const struct error *check_access(struct exchange *exchange, const struct router *router)
{
    struct identity *identity = &exchange->identity;
    if (exchange->route->access == ACCESS_PUBLIC)
        return NULL;
    TRY(router->identify(exchange));
    exchange->server_time_ms =
        store_server_time(exchange->store, exchange->server_time_ms, identity->last_stamp_ms);
    if (identity->member_id) {
        TRY(route_take_turn(exchange, exchange->is_trial      ? TRIAL_CLIENT
                                      : identity->operator_id ? identity->operator_id
                                                              : identity->member_id));
        store_write_as(exchange->store, exchange->arena, identity);
    }
    if (exchange->route->access == ACCESS_OPERATOR)
        store_act_as_operator(exchange->store, identity->callsign);
    return NULL;
}

/* Identifies the caller and, for a route that needs a snapshot, answers from the same snapshot. */
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
    exchange->server_time_ms = exchange->request->arrived_ms;
    if (route->access != ACCESS_PUBLIC || route->use == USES_SNAPSHOT)
        TRY(answer_from_snapshot(exchange, router));
    else if (route->use == USES_STORE && !exchange->store)
        return exchange->store_error;
    return route->use == USES_SNAPSHOT ? NULL : answer(exchange);
}

/* Returns the error for an unknown path. For the base path itself, followed by no segment or an
 * empty segment, the error has a message. People who enter this address in a program also open it
 * in a browser. */
static const struct error *refuse_path(const struct exchange *exchange, const struct router *router)
{
    const struct request *request = exchange->request;
    bool is_base = request->has_endpoint_path && request->segment_count <= 1 &&
                   request->segments[0].length == 0;
    return is_base && router->base_message
               ? error_with_details(exchange->arena, &error_not_found, "path", router->base_message)
               : &error_not_found;
}

static const struct error *dispatch(struct exchange *exchange, const struct router *router)
{
    struct request *request = exchange->request;
    if (router->simplify_path)
        router->simplify_path(request);
    const char *path = find_path(router->routes, request);
    if (!path)
        return refuse_path(exchange, router);
    exchange->route = find_row(router->routes, path,
                               request->method == METHOD_HEAD ? METHOD_GET : request->method);
    if (!exchange->route) {
        response_add_header(exchange->response, "Allow",
                            allowed(router->routes, path, exchange->arena));
        return request->method == METHOD_OPTIONS ? NULL : &error_method_not_allowed;
    }
    return router->redirect && router->redirect(exchange) ? NULL
                                                          : answer_as_asked(exchange, router);
}

static const char *cache_rule(const struct exchange *exchange, const struct error *error)
{
    const struct route *route = exchange->route;
    if (error || exchange->is_private || !route)
        return "no-store";
    if (route->is_kept_privately)
        return "private, no-cache";
    if (route->is_tagged)
        return "no-cache";
    return route->max_age_s ? arena_print(exchange->arena, "public, max-age=%d", route->max_age_s)
                            : "no-store";
}

static void send(const struct router *router, struct exchange *exchange, const struct error *error)
{
    struct response *response = exchange->response;
    response_add_header(response, "Cache-Control", cache_rule(exchange, error));
    if (!error && exchange->route && exchange->route->is_kept_privately)
        response_add_header(response, "Vary", "Cookie");
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
    if (response->long_answer.file >= 0)
        shares_release(exchange->shares); /* the reader decides how long sending takes */
    response_send(response, error             ? error->status
                            : exchange->route ? exchange->status
                                              : 204); /* OPTIONS */
}

bool router_serve(const struct router *router, struct exchange *exchange,
                  const struct error *refusal)
{
    exchange->waits = false;
    const struct error *error = refusal ? refusal : dispatch(exchange, router);
    if (!exchange->waits)
        send(router, exchange, error);
    if (!exchange->store)
        return !exchange->waits;
    store_write_as(exchange->store, NULL, NULL);
    if (!exchange->waits)
        router->finish(exchange, error);
    return !exchange->waits;
}
