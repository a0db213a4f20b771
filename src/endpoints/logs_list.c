/* GET /logs: the log, or what changed in it, page by page (API section 4.2). */
#include "base/datetime.h"
#include "endpoints/endpoint.h"
#include "qso/cursor.h"
#include "qso/render.h"

#define LIMIT_DEFAULT 200

struct page {
    struct buffer *body;
    int64_t limit;
    int64_t count;
    struct position last;
};

/* A space where a plus sign may stand in a date-time is what form encoding made of it. */
static struct text restore_plus(struct exchange *exchange, struct text text)
{
    char *copy = arena_copy(exchange->arena, text.bytes, text.length);
    for (size_t i = 0; i < text.length; i++)
        if (copy[i] == ' ')
            copy[i] = '+';
    return (struct text){copy, text.length};
}

static const struct error *read_updated_since(struct exchange *exchange, struct position *after)
{
    static const char name[] = "updatedSince";
    struct text value;
    int64_t since_ms;
    const char *message = request_find_parameter(exchange->request, name, &value);
    if (message)
        return endpoint_refuse(exchange, name, message);
    if (!value.bytes)
        return NULL;
    if (!datetime_parse(restore_plus(exchange, value), &since_ms))
        return endpoint_refuse(exchange, name, "must be an ISO 8601 date-time with a time zone");
    *after = (struct position){since_ms, INT64_MAX};
    return NULL;
}

static const struct error *read_limit(struct exchange *exchange, int64_t *limit)
{
    static const char name[] = "limit";
    struct text value;
    *limit = LIMIT_DEFAULT;
    const char *message = request_find_parameter(exchange->request, name, &value);
    if (message)
        return endpoint_refuse(exchange, name, message);
    if (value.bytes && !text_parse_integer(value, 1, PAGE_LIMIT_MAX, limit))
        return endpoint_refuse(exchange, name,
                               "must be an integer from 1 to " TEXT_OF(PAGE_LIMIT_MAX));
    return NULL;
}

static const struct error *read_cursor(struct exchange *exchange, struct position *after)
{
    static const char name[] = "cursor";
    struct text value;
    struct position last;
    const char *message = request_find_parameter(exchange->request, name, &value);
    if (message)
        return endpoint_refuse(exchange, name, message);
    if (!value.bytes)
        return NULL;
    if (!cursor_parse(value, &last.synced_at_ms, &last.id))
        return endpoint_refuse(exchange, name, "must be the nextCursor of the previous page");
    if (last.synced_at_ms > after->synced_at_ms)
        *after = last;
    return NULL;
}

/* One QSO more than the page holds tells whether another page follows. */
static void add_qso(void *context, const struct qso *qso)
{
    struct page *page = context;
    if (page->count++ >= page->limit)
        return;
    if (page->count > 1)
        buffer_append(page->body, ",", 1);
    render_qso(qso, page->body);
    page->last.synced_at_ms = qso->values[FIELD_SYNCED_AT].integer;
    page->last.id = qso->values[FIELD_ID].integer;
}

static void finish(struct exchange *exchange, const struct page *page)
{
    char cursor[CURSOR_LENGTH];
    buffer_append_string(page->body, "],\"nextCursor\":");
    if (page->count > page->limit) {
        cursor_format(page->last.synced_at_ms, page->last.id, cursor);
        buffer_append_json_string(page->body, cursor, sizeof cursor);
    } else {
        buffer_append_string(page->body, "null");
    }
    buffer_append_string(page->body, ",\"serverTime\":");
    render_time(exchange->server_time_ms, page->body);
    buffer_append_string(page->body, "}");
}

static const struct error *answer(struct exchange *exchange)
{
    struct page page = {.body = &exchange->response->body};
    struct position after = {INT64_MIN, INT64_MAX};
    const struct error *error = read_updated_since(exchange, &after);
    if (!error)
        error = read_limit(exchange, &page.limit);
    if (!error)
        error = read_cursor(exchange, &after);
    if (error)
        return error;
    buffer_append_string(page.body, "{\"items\":[");
    error = endpoint_store_error(store_list_qsos(exchange->store, exchange->identity.member_id,
                                                 after, page.limit + 1, add_qso, &page));
    if (!error)
        finish(exchange, &page);
    return error;
}

const struct endpoint endpoint_logs_list = {
    .method = METHOD_GET,
    .path = "/logs",
    .scope = SCOPE_READ,
    .use = USES_SNAPSHOT,
    .tells_log_epoch = true,
    .answer = answer,
    .operation_id = "listQsos",
    .summary = "Download the log, whole or what changed",
    .description = "QSOs in the order of their last change, oldest first. Follow nextCursor until "
                   "it is null, and keep the serverTime of the first page for the next download.",
    .parameters =
        {{"updatedSince", "query", "{\"type\":\"string\",\"format\":\"date-time\"}",
          "Only QSOs created, changed or cross-confirmed after this instant; the serverTime of the "
          "previous download."},
         {"limit", "query",
          "{\"type\":\"integer\",\"minimum\":1,\"maximum\":" TEXT_OF(
              PAGE_LIMIT_MAX) ",\"default\":" TEXT_OF(LIMIT_DEFAULT) "}",
          "QSOs a page."},
         {"cursor", "query", "{\"type\":\"string\"}",
          "The nextCursor of the previous page; keep the same updatedSince."}},
    .status = 200,
    .success = "A page of the log.",
    .response_schema = "Page",
    .errors = {&error_validation_failed, &error_key_invalid, &error_rate_limited},
};
