/* Puts responses together: status line, headers, length. Knows no endpoint. */
#include "worker/response.h"

#include <stdio.h>
#include <string.h>

#define KEPT_CAPACITY_BYTES (1 << 20)

void response_reset(struct response *response, struct gateway *gateway, bool head_only)
{
    response->gateway = gateway;
    buffer_clear(&response->head);
    buffer_clear(&response->body);
    response->head_only = head_only;
    response->cacheable = false;
    response->sent = false;
}

void response_release(struct response *response)
{
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
                   {204, "No Content"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {413, "Content Too Large"},
                   {429, "Too Many Requests"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Internal Server Error";
}

/* The finished head, in front of the body where there is one, so that both leave in one piece. */
static void send_head(struct response *response, int status)
{
    char line[64];
    size_t length =
        (size_t)snprintf(line, sizeof line, "Status: %d %s\r\n", status, reason_of(status));
    if (!response->cacheable)
        response_add_header(response, "Cache-Control", "no-store");
    buffer_append(&response->head, "\r\n", 2);
    size_t rest = response->head.length;
    buffer_reserve(&response->head, length);
    memmove(response->head.bytes + length, response->head.bytes, rest);
    memcpy(response->head.bytes, line, length);
    response->head.length += length;
    gateway_drain(response->gateway);
    response->sent = true;
}

void response_send(struct response *response, int status)
{
    bool has_body = status != 204 && status != 304;
    if (has_body) {
        response_add_header(response, "Content-Type", "application/json");
        response_add_header_number(response, "Content-Length", (int64_t)response->body.length);
    }
    send_head(response, status);
    if (has_body && !response->head_only)
        buffer_append(&response->head, response->body.bytes, response->body.length);
    gateway_write(response->gateway, response->head.bytes, response->head.length);
}

void response_send_fault(struct response *response, const struct fault *fault, const char *field,
                         const char *message)
{
    struct buffer *body = &response->body;
    buffer_clear(body);
    buffer_append_string(body, "{\"error\":{\"code\":");
    buffer_append_json_string(body, fault->code, strlen(fault->code));
    if (field) {
        buffer_append_string(body, ",\"details\":[{\"field\":");
        buffer_append_json_string(body, field, strlen(field));
        buffer_append_string(body, ",\"message\":");
        buffer_append_json_string(body, message, strlen(message));
        buffer_append_string(body, "}]");
    }
    buffer_append_string(body, "}}");
    response_send(response, fault->status);
}

void response_begin_stream(struct response *response, int status)
{
    response_add_header(response, "Content-Type", "application/json");
    send_head(response, status);
    gateway_write(response->gateway, response->head.bytes, response->head.length);
}

bool response_flush(struct response *response)
{
    if (!response->head_only)
        gateway_write(response->gateway, response->body.bytes, response->body.length);
    buffer_clear(&response->body);
    return !response->head_only && !gateway_is_lost(response->gateway);
}
