/* Walks the endpoint table. The order of the checks: rate limit, path, method, key, scope;
 * parameters and resources are the endpoint's own. What an endpoint has filled in is sent here and
 * nowhere else. */
#include "worker/router.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/log.h"
#include "endpoints/endpoint.h"
#include "http/entity_tag.h"
#include "worker/authentication.h"
#include "worker/settings.h"

static const struct endpoint *const endpoints[] = {
    &endpoint_me,
    &endpoint_logs_list,
    &endpoint_logs_ids,
    &endpoint_logs_batch,
    &endpoint_logs_delete,
    &endpoint_openapi,
    NULL,
};

static const char *lookup_setting(void *gateway, const char *name)
{
    return gateway_variable(gateway, name);
}

bool router_open_store(struct worker *worker, const char *path)
{
    if (!worker->store || strcmp(worker->store_path, path) != 0 ||
        !store_is_current(worker->store)) {
        router_close(worker);
        worker->store_path = memory_allocate(strlen(path) + 1);
        strcpy(worker->store_path, path);
        enum store_result result = store_open(path, STORE_OPEN_EXISTING, &worker->store);
        if (result == STORE_NONE)
            log_line("%s is not a QSOsync logbook yet; make one with: qsosync-admin --db %s init",
                     path, path);
        if (result != STORE_DONE)
            return false;
    }
    if (!worker->limit.table && !rate_limit_open(&worker->limit, path))
        log_line("%s-limits: cannot open the table of the request limit: %s", path,
                 strerror(errno));
    return true;
}

void router_close(struct worker *worker)
{
    store_close(worker->store);
    worker->store = NULL;
    rate_limit_close(&worker->limit);
    free(worker->store_path);
    worker->store_path = NULL;
}

/* Unique among all workers: a random beginning each, and a number. */
static const char *make_request_id(struct arena *arena)
{
    static uint32_t worker_id, number;
    if (number == 0 && getrandom(&worker_id, sizeof worker_id, GRND_NONBLOCK) < 0)
        worker_id = (uint32_t)getpid();
    return arena_print(arena, "%08x%08x", worker_id, number++);
}

/* Compares one path template with the request's segments; {clientId} takes any that is not
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

/* The paths /logs/ids and /logs/batch are no clientIds: a literal path that fits keeps the
 * templates away. */
static const char *find_path(const struct request *request)
{
    const char *path = NULL;
    for (int i = 0; request->has_endpoint_path && endpoints[i]; i++)
        if (fits(endpoints[i]->path, request) && (!path || strchr(path, '{')))
            path = endpoints[i]->path;
    return path;
}

static const struct endpoint *find_endpoint(const char *path, enum method method)
{
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    for (int i = 0; endpoints[i]; i++)
        if (strcmp(endpoints[i]->path, path) == 0 && endpoints[i]->method == method)
            return endpoints[i];
    return NULL;
}

static void add_allow(struct response *response, const char *path)
{
    char allow[64] = "";
    if (find_endpoint(path, METHOD_GET))
        strcat(allow, "GET, HEAD, ");
    if (find_endpoint(path, METHOD_POST))
        strcat(allow, "POST, ");
    if (find_endpoint(path, METHOD_DELETE))
        strcat(allow, "DELETE, ");
    strcat(allow, "OPTIONS");
    response_add_header(response, "Allow", allow);
}

/* Answers, unless the client has what the answer would be. */
static const struct error *answer(struct exchange *exchange, bool *not_modified)
{
    const struct endpoint *endpoint = exchange->endpoint;
    const char *entity_tag = endpoint->entity_tag ? endpoint->entity_tag(exchange) : NULL;
    const struct error *error = NULL;
    *not_modified = entity_tag && entity_tag_matches(exchange->request->if_none_match, entity_tag);
    if (!*not_modified)
        error = endpoint->answer(exchange);
    if (!error && entity_tag)
        response_add_header(exchange->response, "ETag", entity_tag);
    if (!error && endpoint->tells_log_epoch)
        response_add_header_number(exchange->response, "X-Log-Epoch", exchange->identity.log_epoch);
    return error;
}

/* Who asks and what the log holds are of one moment. */
static const struct error *answer_from_snapshot(struct exchange *exchange, bool *not_modified)
{
    exchange->server_time_ms = exchange->request->arrived_ms;
    if (store_begin_read(exchange->store, &exchange->server_time_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error =
        authentication_identify(exchange->request, exchange->store, &exchange->identity);
    if (!error)
        error = authentication_permit(&exchange->identity, exchange->endpoint->scope);
    if (!error && exchange->endpoint->use == USES_SNAPSHOT)
        error = answer(exchange, not_modified);
    store_end_read(exchange->store);
    return error;
}

static const struct error *answer_as_asked(struct exchange *exchange, bool *not_modified)
{
    if (exchange->endpoint->use == USES_NOTHING)
        return answer(exchange, not_modified);
    if (!exchange->store)
        return &error_internal;
    const struct error *error = answer_from_snapshot(exchange, not_modified);
    if (!error && exchange->endpoint->use == USES_WRITES)
        error = answer(exchange, not_modified);
    return error;
}

/* The next slice of a list, in a snapshot of its own. Where the key works no longer, or the logbook
 * is another one by now, the list must not look complete. */
static bool answer_more(struct exchange *exchange)
{
    int64_t log_epoch = exchange->identity.log_epoch;
    bool not_modified;
    return !answer_from_snapshot(exchange, &not_modified) &&
           exchange->identity.log_epoch == log_epoch;
}

/* No transaction is open while the client is waited for. */
static void send_stream(struct exchange *exchange)
{
    struct response *response = exchange->response;
    response_begin_stream(response, exchange->endpoint->status);
    while (response_flush(response) && exchange->has_more)
        if (!answer_more(exchange)) {
            log_line("the response could not be finished");
            gateway_abort(response->gateway);
            return;
        }
}

static void send(struct exchange *exchange, const struct error *error, bool not_modified)
{
    struct response *response = exchange->response;
    int max_age_s = error || !exchange->endpoint ? 0 : exchange->endpoint->max_age_s;
    response_add_header(response, "Cache-Control",
                        max_age_s ? arena_print(exchange->arena, "public, max-age=%d", max_age_s)
                                  : "no-store");
    if (error) {
        if (error->status == 500)
            log_line("answered with %s", error->code);
        response_set_error(response, error);
        response_send(response, error->status);
    } else if (!exchange->endpoint) {
        response_send(response, 204); /* OPTIONS */
    } else if (exchange->has_more) {
        send_stream(exchange);
    } else {
        response_send(response, not_modified ? 304 : exchange->endpoint->status);
    }
}

static const struct error *dispatch(struct exchange *exchange, bool *not_modified)
{
    struct request *request = exchange->request;
    const char *path = find_path(request);
    if (!path)
        return &error_not_found;
    exchange->endpoint = find_endpoint(path, request->method);
    if (!exchange->endpoint)
        add_allow(exchange->response, path);
    if (request->method == METHOD_OPTIONS)
        return NULL;
    return exchange->endpoint ? answer_as_asked(exchange, not_modified) : &error_method_not_allowed;
}

/* Preflights do not count. */
static bool is_refused(struct worker *worker, const struct request *request)
{
    struct rate_verdict verdict;
    int64_t limit = settings_number(SETTING_RATE_LIMIT, lookup_setting, request->gateway);
    if (request->method == METHOD_OPTIONS)
        return false;
    rate_limit_count(&worker->limit, request->remote_address, limit, request->arrived_monotonic_ms,
                     &verdict);
    if (verdict.counted) {
        response_add_header_number(&worker->response, "RateLimit-Limit", verdict.limit);
        response_add_header_number(&worker->response, "RateLimit-Remaining", verdict.remaining);
        response_add_header_number(&worker->response, "RateLimit-Reset", verdict.reset_seconds);
    }
    return verdict.refused;
}

static void serve(struct worker *worker, struct gateway *gateway)
{
    struct request request;
    request_read(&request, gateway, &worker->arena);
    struct response *response = &worker->response;
    const char *request_id = make_request_id(&worker->arena);
    log_set_request(request_id);
    response_reset(response, gateway, request.method == METHOD_HEAD);
    response_add_header(response, "X-Request-Id", request_id);
    response_add_header(response, "X-Content-Type-Options", "nosniff");

    gateway_set_send_wait(gateway, settings_number(SETTING_SEND_WAIT_MS, lookup_setting, gateway));
    const char *path = settings_text(SETTING_DB, lookup_setting, gateway);
    if (router_open_store(worker, path))
        store_set_write_wait(worker->store,
                             settings_number(SETTING_WRITE_WAIT_MS, lookup_setting, gateway));
    struct exchange exchange = {.endpoints = endpoints,
                                .request = &request,
                                .response = response,
                                .arena = &worker->arena,
                                .store = worker->store};
    bool not_modified = false;
    const struct error *error =
        is_refused(worker, &request) ? &error_rate_limited : dispatch(&exchange, &not_modified);
    send(&exchange, error, not_modified);
    if (exchange.identity.key_number)
        authentication_note_use(&request, worker->store, &exchange.identity);
    log_set_request("");
}

void router_serve(struct worker *worker, struct gateway *gateway)
{
    serve(worker, gateway);
    gateway_finish(gateway);
    store_checkpoint(worker->store);
    response_release(&worker->response);
    arena_reset(&worker->arena);
}
