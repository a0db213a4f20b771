/* Puts responses together: status line, headers, length. Knows no endpoint. */
#include "http/response.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"

#define KEPT_CAPACITY_BYTES (1 << 20)

void response_reset(struct response *response, struct gateway *gateway, bool head_only)
{
    response->gateway = gateway;
    buffer_clear(&response->head);
    buffer_clear(&response->body);
    response->content_type = "application/json";
    response->head_only = head_only;
    response->sent = false;
}

void response_release(struct response *response)
{
    buffer_clear(&response->head);
    buffer_clear(&response->body);
    if (response->body.capacity > KEPT_CAPACITY_BYTES)
        buffer_free(&response->body);
}

void response_free(struct response *response)
{
    buffer_free(&response->head);
    buffer_free(&response->body);
}

void response_add_header(struct response *response, const char *name, const char *value)
{
    buffer_append_string(&response->head, name);
    buffer_append(&response->head, ": ", 2);
    buffer_append_string(&response->head, value);
    buffer_append(&response->head, "\r\n", 2);
}

void response_add_header_number(struct response *response, const char *name, int64_t value)
{
    buffer_append_string(&response->head, name);
    buffer_append(&response->head, ": ", 2);
    buffer_append_integer(&response->head, value);
    buffer_append(&response->head, "\r\n", 2);
}

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {{200, "OK"},
                   {201, "Created"},
                   {204, "No Content"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {409, "Conflict"},
                   {413, "Content Too Large"},
                   {429, "Too Many Requests"},
                   {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Internal Server Error";
}

/* The head, and the body where it is complete, in one write. */
static void send(struct response *response, int status, bool with_body)
{
    char line[64];
    int length = snprintf(line, sizeof line, "Status: %d %s\r\n", status, reason_of(status));
    buffer_append(&response->head, "\r\n", 2);
    const struct text pieces[] = {{line, (size_t)length},
                                  {response->head.bytes, response->head.length},
                                  {response->body.bytes, response->body.length}};
    gateway_drain(response->gateway);
    gateway_write(response->gateway, pieces, with_body ? 3 : 2);
    response->sent = true;
}

void response_send(struct response *response, int status)
{
    bool has_body = status != 204 && status != 304;
    if (has_body) {
        response_add_header(response, "Content-Type", response->content_type);
        response_add_header_number(response, "Content-Length", (int64_t)response->body.length);
    }
    send(response, status, has_body && !response->head_only);
}

void response_set_error(struct response *response, const struct error *error)
{
    struct buffer *body = &response->body;
    buffer_clear(body);
    response->content_type = "application/json";
    buffer_append_string(body, "{\"error\":{\"code\":");
    json_append_string(body, error->code, strlen(error->code));
    if (error->field) {
        buffer_append_string(body, ",\"details\":[{\"field\":");
        json_append_string(body, error->field, strlen(error->field));
        buffer_append_string(body, ",\"message\":");
        json_append_string(body, error->message, strlen(error->message));
        buffer_append_string(body, "}]");
    }
    buffer_append_string(body, "}}");
    if (error->header_value)
        response_add_header(response, error->header_name, error->header_value);
}

void response_begin_stream(struct response *response, int status)
{
    response_add_header(response, "Content-Type", response->content_type);
    send(response, status, false);
}

/* What was sent stands: the next part has the whole budget again. */
bool response_flush(struct response *response)
{
    budget_renew();
    const struct text body = {response->body.bytes, response->body.length};
    if (!response->head_only)
        gateway_write(response->gateway, &body, 1);
    buffer_clear(&response->body);
    return !response->head_only && !gateway_is_lost(response->gateway);
}
