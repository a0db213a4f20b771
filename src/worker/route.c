/* Walks the endpoint table. The order of the gates: rate limit, path, method, key, scope;
 * parameters and resources are the endpoint's own business. */
#include "worker/route.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/log.h"
#include "endpoints/endpoint.h"
#include "worker/authentication.h"
#include "worker/settings.h"

#define REQUEST_ID_LENGTH 16

static const char *lookup_setting(void *gateway, const char *name)
{
    return gateway_variable(gateway, name);
}

bool route_open_store(struct worker *worker, const char *path)
{
    if (!worker->store || strcmp(worker->store_path, path) != 0 ||
        !store_is_current(worker->store)) {
        route_close(worker);
        worker->store_path = memory_allocate(strlen(path) + 1);
        strcpy(worker->store_path, path);
        enum store_result result = store_open(path, STORE_OPEN_EXISTING, &worker->store);
        if (result == STORE_NONE)
            log_line("%s is no logbook yet; make one with: qsosync-admin --db %s init", path, path);
        if (result != STORE_DONE)
            return false;
    }
    if (!worker->limit.table && !rate_limit_open(&worker->limit, path))
        log_line("%s-limits: cannot open the table of the request limit: %s", path,
                 strerror(errno));
    return true;
}

void route_close(struct worker *worker)
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

/* The answer inside a snapshot: what the key allows and what the log holds are of one moment. */
static const struct fault *answer_from_snapshot(struct exchange *exchange)
{
    exchange->server_time_ms = exchange->request->arrived_ms;
    if (store_begin_read(exchange->store, &exchange->server_time_ms) != STORE_DONE)
        return &fault_internal;
    const struct fault *fault =
        authentication_identify(exchange->request, exchange->store, &exchange->identity);
    if (!fault)
        fault = authentication_permit(&exchange->identity, exchange->endpoint->scope);
    if (!fault && exchange->endpoint->use == USES_SNAPSHOT)
        fault = exchange->endpoint->answer(exchange);
    store_end_read(exchange->store);
    return fault;
}

static const struct fault *answer(struct exchange *exchange)
{
    if (exchange->endpoint->use == USES_NOTHING)
        return exchange->endpoint->answer(exchange);
    if (!exchange->store)
        return &fault_internal;
    const struct fault *fault = answer_from_snapshot(exchange);
    if (exchange->identity.key_number)
        authentication_note_use(exchange->request, exchange->store, &exchange->identity);
    if (!fault && exchange->endpoint->use == USES_WRITES)
        fault = exchange->endpoint->answer(exchange);
    return fault;
}

static const struct fault *dispatch(struct worker *worker, struct exchange *exchange)
{
    struct request *request = exchange->request;
    const char *path = find_path(request);
    if (!path)
        return &fault_not_found;
    if (request->method == METHOD_OPTIONS) {
        add_allow(&worker->response, path);
        response_send(&worker->response, 204);
        return NULL;
    }
    exchange->endpoint = find_endpoint(path, request->method);
    if (!exchange->endpoint) {
        add_allow(&worker->response, path);
        return &fault_method_not_allowed;
    }
    return answer(exchange);
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

static void send_fault(struct worker *worker, const struct exchange *exchange,
                       const struct fault *fault)
{
    struct response *response = &worker->response;
    if (response->sent) {
        log_line("the response could not be finished");
        gateway_abort(response->gateway);
        return;
    }
    if (fault == &fault_internal)
        log_line("answered with %s", fault->code);
    if (fault == &fault_key_invalid)
        response_add_header(response, "WWW-Authenticate", "Bearer");
    bool detailed = fault == &fault_validation_failed || fault == &fault_body_too_large;
    response_send_fault(response, fault, detailed ? exchange->fault_field : NULL,
                        exchange->fault_message);
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

    const char *path = settings_text(SETTING_DB, lookup_setting, gateway);
    if (route_open_store(worker, path))
        store_set_write_wait(worker->store,
                             settings_number(SETTING_WRITE_WAIT_MS, lookup_setting, gateway));
    struct exchange exchange = {
        .request = &request, .response = response, .arena = &worker->arena, .store = worker->store};
    const struct fault *fault =
        is_refused(worker, &request) ? &fault_rate_limited : dispatch(worker, &exchange);
    if (fault)
        send_fault(worker, &exchange, fault);
    log_set_request("");
}

void route_serve(struct worker *worker, struct gateway *gateway)
{
    serve(worker, gateway);
    gateway_finish(gateway);
    store_tidy(worker->store);
    response_release(&worker->response);
    arena_reset(&worker->arena);
}
