/* Assembles a response: status line, headers, length, body. Callers ensure that no header's value
 * begins another header. Routes provide content; gateway_write.c and output.c send the bytes. */
#include "http/response.h"

#include <string.h>

#include "base/budget.h"
#include "base/format.h"
#include "base/text.h"
#include "json/write.h"
#include "json/write_object.h"

#define KEPT_CAPACITY_BYTES (1 << 20)
#define PIECE_BYTES (512 << 10) /* size limit for the part of a long body in memory */

void response_reset(struct response *response, struct gateway *gateway, const char *database_path,
                    bool head_only)
{
    buffer_clear(&response->head);
    buffer_clear(&response->body);
    *response = (struct response){.gateway = gateway,
                                  .head = response->head,
                                  .body = response->body,
                                  .content_type = "application/json",
                                  .head_only = head_only,
                                  .database_path = database_path,
                                  .long_answer = LONG_ANSWER_NONE};
}

void response_release(struct response *response)
{
    buffer_clear(&response->head);
    buffer_clear(&response->body);
    long_answer_close(&response->long_answer);
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
    buffer_print(&response->head, "%s: %s\r\n", name, value);
}

void response_add_header_number(struct response *response, const char *name, int64_t value)
{
    buffer_print(&response->head, "%s: %lld\r\n", name, (long long)value);
}

/* The statuses and their reason phrases. Any other status is sent with the phrase of 500. */
static const struct {
    int status;
    const char *reason;
} reasons[] = {
    {200, "OK"},
    {201, "Created"},
    {204, "No Content"},
    {303, "See Other"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {409, "Conflict"},
    {413, "Content Too Large"},
    {429, "Too Many Requests"},
    {503, "Service Unavailable"},
};

static const char *reason_of(int status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Internal Server Error";
}

static void keep(struct response *response)
{
    if (!response->failure)
        response->failure = long_answer_append(&response->long_answer, response->database_path,
                                               response->member_id, &response->body);
}

bool response_flush(struct response *response)
{
    if (response->body.length < PIECE_BYTES)
        return true;
    budget_renew(); /* each piece of the body gets the full budget */
    response->is_partial = response->head_only;
    if (!response->head_only)
        keep(response);
    return !response->head_only && !response->failure;
}

const struct error *response_complete(struct response *response)
{
    if (!response->head_only &&
        (response->long_answer.file >= 0 || response->body.length > LONG_ANSWER_LEAST_BYTES)) {
        keep(response);
        buffer_free(&response->body); /* otherwise the sending process would keep a copy */
    }
    return response->failure;
}

/* Writes the head, together with the body if the body is in memory, in one write. */
static void send(struct response *response, int status, bool with_body)
{
    char line[64];
    const struct long_answer *rest = &response->long_answer;
    const size_t length =
        format_cut(line, sizeof line, "Status: %d %s\r\n", status, reason_of(status));
    buffer_append(&response->head, "\r\n", 2);
    const struct text pieces[] = {{line, length},
                                  {response->head.bytes, response->head.length},
                                  {response->body.bytes, response->body.length}};
    gateway_drain(response->gateway);
    response->sent = true;
    gateway_write(response->gateway, pieces, with_body ? 3 : 2);
    if (!with_body || rest->file < 0)
        return;
    buffer_free(&response->body); /* the sending process must not inherit the body */
    gateway_send_file(response->gateway, rest->file, rest->length, rest->slot.file);
}

void response_send(struct response *response, int status)
{
    bool has_body = status != 204 && status != 304;
    uint64_t length = response->long_answer.length + response->body.length;
    if (has_body)
        response_add_header(response, "Content-Type", response->content_type);
    if (has_body && !response->is_partial)
        response_add_header_number(response, "Content-Length", (int64_t)length);
    send(response, status, has_body && !response->head_only);
}

/* Removes a header line. The first line is never removed, because no error's header is on that
 * line. */
static void remove_header(struct response *response, const char *name)
{
    struct buffer *head = &response->head;
    char begins[64];
    size_t length = format_cut(begins, sizeof begins, "\n%s:", name);
    char *line = memmem(head->bytes, head->length, begins, length);
    if (!line)
        return;
    char *end = head->bytes + head->length,
         *next = memchr(line + 1, '\n', (size_t)(end - line) - 1);
    memmove(line, next, (size_t)(end - next));
    head->length -= (size_t)(next - line);
}

void response_set_error(struct response *response, const struct error *error)
{
    struct buffer *body = &response->body;
    buffer_clear(body);
    long_answer_close(&response->long_answer);
    response->is_partial = false;
    response->content_type = "application/json";
    json_begin_item(body);
    json_begin_object(body, "error");
    json_write_text(body, "code", text_of(error->code));
    if (error->field) {
        json_begin_array(body, "details");
        json_write_item(body, json_text("field", text_of(error->field)),
                        json_text("message", text_of(error->message)));
        buffer_append_string(body, "]");
    }
    buffer_append_string(body, "}}");
    if (error->header_value) {
        remove_header(response, error->header_name);
        response_add_header(response, error->header_name, error->header_value);
    }
}
