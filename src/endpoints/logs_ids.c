/* GET /logs/ids: every id of the log, so that a client finds out what was deleted (API
 * section 4.3). */
#include "endpoints/endpoint.h"
#include "qso/render.h"

#define FLUSH_BYTES 65536 /* the list grows with the log, the worker's memory does not */

struct id_list {
    struct response *response;
    bool begun;
};

static bool add_id(void *context, int64_t id, const unsigned char *client_id)
{
    struct id_list *list = context;
    struct buffer *body = &list->response->body;
    buffer_append_string(body, list->begun ? ",{\"id\":\"" : "{\"id\":\"");
    buffer_append_integer(body, id);
    buffer_append_string(body, "\",\"clientId\":");
    render_uuid(client_id, body);
    buffer_append(body, "}", 1);
    list->begun = true;
    return body->length < FLUSH_BYTES || response_flush(list->response);
}

static const struct fault *answer(struct exchange *exchange)
{
    struct response *response = exchange->response;
    struct id_list list = {.response = response};
    const char *etag =
        arena_print(exchange->arena, "W/\"%lld-%lld\"", (long long)exchange->identity.log_epoch,
                    (long long)exchange->identity.log_revision);
    response_add_header(response, "ETag", etag);
    endpoint_add_log_epoch(exchange);
    if (endpoint_matches_etag(exchange, etag)) {
        response_send(response, 304);
        return NULL;
    }
    response_begin_stream(response, 200);
    buffer_append_string(&response->body, "{\"items\":[");
    enum store_result result =
        response->head_only
            ? STORE_DONE
            : store_list_ids(exchange->store, exchange->identity.member_id, add_id, &list);
    if (result != STORE_DONE)
        return &fault_internal;
    buffer_append_string(&response->body, "]}");
    response_flush(response);
    return NULL;
}

const struct endpoint endpoint_logs_ids = {
    .method = METHOD_GET,
    .path = "/logs/ids",
    .scope = SCOPE_READ,
    .use = USES_SNAPSHOT,
    .answer = answer,
    .operation = "listIds",
    .summary = "The ids of every QSO in the log",
    .description =
        "A QSO whose clientId is no longer listed was deleted. Send the ETag of the last "
        "answer as If-None-Match: as long as the log is unchanged the answer is 304.",
    .parameters = {{"If-None-Match", "header", "{\"type\":\"string\"}",
                    "The ETag of an earlier answer."}},
    .status = 200,
    .success = "Every QSO of the log, by id and clientId.",
    .response_schema = "IdList",
    .response_headers = "\"ETag\":{\"$ref\":\"#/components/headers/ETag\"},"
                        "\"X-Log-Epoch\":{\"$ref\":\"#/components/headers/X-Log-Epoch\"}",
    .conditional = true,
    .faults = {&fault_key_invalid, &fault_rate_limited},
};
