/* Walks the endpoint table. The order of the checks: rate limit, path, method, key, scope;
 * parameters and resources are the endpoint's own. What an endpoint has filled in is sent here and
 * nowhere else. */
#include "api/router.h"

#include "api/authentication.h"
#include "api/refusals.h"
#include "api/endpoint.h"
#include "http/compression.h"
#include "http/entity_tag.h"
#include "store/logbook.h"
#include "worker/path_table.h"

static const struct endpoint *const endpoints[] = {
    &endpoint_me,
    &endpoint_logs_list,
    &endpoint_logs_ids,
    &endpoint_logs_batch,
    &endpoint_logs_delete,
    &endpoint_openapi,
    NULL,
};

static bool describe_row(int index, enum method *method, const char **path)
{
    if (!endpoints[index])
        return false;
    *method = endpoints[index]->method;
    *path = endpoints[index]->path;
    return true;
}

/* Compressed if the client likes it, except where a front server that compresses changes the entity
 * tag, too. */
static const struct error *complete(struct exchange *exchange)
{
    struct response *response = exchange->response;
    bool compressed = !exchange->endpoint->entity_tag &&
                      compression_is_accepted(exchange->request->accept_encoding) &&
                      compression_apply(&response->body);
    const struct error *error = response_complete(response);
    if (!error && compressed)
        compression_add_headers(response);
    return error;
}

/* Runs the endpoint, unless the client has what it would answer already: *not_modified. */
static const struct error *answer(struct exchange *exchange, bool *not_modified)
{
    const struct endpoint *endpoint = exchange->endpoint;
    const char *entity_tag = endpoint->entity_tag ? endpoint->entity_tag(exchange) : NULL;
    const struct error *error = NULL;
    *not_modified = entity_tag && entity_tag_matches(exchange->request->if_none_match, entity_tag);
    exchange->response->member_id = exchange->identity.member_id;
    if (!*not_modified)
        error = endpoint->answer(exchange);
    if (!*not_modified && !error)
        error = complete(exchange);
    if (!error && entity_tag)
        response_add_header(exchange->response, "ETag", entity_tag);
    if (!error && endpoint->sends_log_epoch)
        response_add_header_number(exchange->response, "X-Log-Epoch", exchange->identity.log_epoch);
    return error;
}

/* The key and the log are read in one snapshot. */
static const struct error *answer_from_snapshot(struct exchange *exchange, bool *not_modified)
{
    exchange->server_time_ms = exchange->request->arrived_ms;
    if (store_begin_read(exchange->store, &exchange->server_time_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error =
        authentication_identify(exchange->request, exchange->store, &exchange->identity);
    if (!error)
        exchange->server_time_ms =
            store_server_time(exchange->store, exchange->server_time_ms,
                              exchange->identity.last_stamp_ms, exchange->identity.restored_ms);
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

static void send(struct exchange *exchange, const struct error *error, bool not_modified)
{
    struct response *response = exchange->response;
    int max_age_s = error || !exchange->endpoint ? 0 : exchange->endpoint->max_age_s;
    response_add_header(response, "Cache-Control",
                        max_age_s ? arena_print(exchange->arena, "public, max-age=%d", max_age_s)
                                  : "no-store");
    if (error)
        worker_send_error(response, error);
    else if (!exchange->endpoint)
        response_send(response, 204); /* OPTIONS */
    else
        response_send(response, not_modified ? 304 : exchange->endpoint->status);
}

static const struct error *dispatch(struct exchange *exchange, bool *not_modified)
{
    struct request *request = exchange->request;
    char allow[PATH_TABLE_ALLOW_BYTES];
    int row = path_table_find(describe_row, request, allow);
    if (row == PATH_TABLE_UNKNOWN)
        return &error_not_found;
    if (row == PATH_TABLE_OTHER_METHOD)
        response_add_header(exchange->response, "Allow", allow);
    else
        exchange->endpoint = endpoints[row];
    if (request->method == METHOD_OPTIONS)
        return NULL;
    return exchange->endpoint ? answer_as_asked(exchange, not_modified) : &error_method_not_allowed;
}

void router_serve(struct worker *worker, struct request *request, bool is_refused)
{
    struct exchange exchange = {.endpoints = endpoints,
                                .request = request,
                                .response = &worker->response,
                                .arena = &worker->arena,
                                .store = worker->store};
    bool not_modified = false;
    const struct error *error =
        is_refused ? &error_rate_limited : dispatch(&exchange, &not_modified);
    send(&exchange, worker_explain_error(worker, error), not_modified);
    if (exchange.identity.key_number)
        authentication_note_use(request, worker->store, &exchange.identity);
    refusals_note(request, worker->store, &exchange.identity, error, &exchange.refusal);
}
