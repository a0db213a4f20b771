/* GET /logs/ids: every id of the log, so that a client finds out what was deleted (API
 * section 4.3). */
#include "endpoints/endpoint.h"
#include "qso/render.h"

#define FLUSH_BYTES 65536 /* the list grows with the log, the worker's memory does not */

struct id_list {
    struct response *response;
    bool has_ids;
    bool is_streamed; /* the head is out: the list is longer than one piece */
};

/* Until the first piece is full nothing is sent, so that a failure can still be told. */
static bool send_piece(struct id_list *list)
{
    if (!list->is_streamed)
        response_begin_stream(list->response, 200);
    list->is_streamed = true;
    return response_flush(list->response);
}

static bool add_id(void *context, int64_t id, const unsigned char *client_id)
{
    struct id_list *list = context;
    struct buffer *body = &list->response->body;
    buffer_append_string(body, list->has_ids ? ",{\"id\":\"" : "{\"id\":\"");
    buffer_append_integer(body, id);
    buffer_append_string(body, "\",\"clientId\":");
    render_uuid(client_id, body);
    buffer_append(body, "}", 1);
    list->has_ids = true;
    return body->length < FLUSH_BYTES || send_piece(list);
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
    if (response->head_only) {
        response_begin_stream(response, 200);
        return NULL;
    }
    buffer_append_string(&response->body, "{\"items\":[");
    if (store_list_ids(exchange->store, exchange->identity.member_id, add_id, &list) != STORE_DONE)
        return &fault_internal;
    buffer_append_string(&response->body, "]}");
    if (list.is_streamed)
        send_piece(&list);
    else
        response_send(response, 200);
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
