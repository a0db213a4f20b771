/* GET /logs/ids: the ids of all QSOs in the log, so that a client can find deletions (API section
 * 4.3). The list is written directly from the rows, because a log can be very long. Newer clients
 * use GET /logs to find deletions. */
#include "api/endpoint.h"
#include "json/append.h"
#include "store/log/qsos.h"

struct list {
    struct response *response;
    bool follows; /* whether an id was already written */
};

static bool append_id(void *context, int64_t id, const unsigned char *client_id)
{
    struct list *list = context;
    struct buffer *body = &list->response->body;
    if (list->follows)
        buffer_append(body, ",", 1);
    list->follows = true;
    buffer_append_string(body, "{\"id\":\"");
    buffer_append_integer(body, id);
    buffer_append_string(body, "\",\"clientId\":");
    json_append_uuid(body, client_id);
    buffer_append(body, "}", 1);
    return response_flush(list->response);
}

static const struct error *answer(struct exchange *exchange)
{
    struct list list = {.response = exchange->response};
    buffer_append_string(&list.response->body, "{\"items\":[");
    enum store_result result =
        store_list_ids(exchange->store, exchange->identity.member_id, append_id, &list);
    buffer_append_string(&list.response->body, "]}");
    return route_store_error(result);
}

static const char *entity_tag(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    return arena_print(exchange->arena, "W/\"%lld-%lld-%lld\"", (long long)identity->log_epoch,
                       (long long)identity->member_id, (long long)identity->log_revision);
}

ROUTE(logs_ids) = {
    .method = METHOD_GET,
    .path = "/logs/ids",
    .access = ACCESS_READ_KEY,
    .use = USES_SNAPSHOT,
    .status = 200,
    .sends_log_epoch = true,
    .entity_tag = entity_tag,
    .answer = answer,
};
