/* What was sent cannot be changed: after a failure the router breaks off the connection, so that no
 * incomplete file looks complete. */
#include "site/stream.h"

#define PIECE_BYTES (256 << 10)

void stream_begin(struct exchange *exchange, const char *content_type, const char *file_name)
{
    struct response *response = exchange->response;
    response->content_type = content_type;
    response_add_header(response, "Cache-Control", "no-store");
    response_add_header(response, "Content-Disposition",
                        arena_print(exchange->arena, "attachment; filename=\"%s\"", file_name));
    response_begin_stream(response, exchange->route->status);
}

bool stream_flush(struct exchange *exchange)
{
    struct response *response = exchange->response;
    if (response->body.length < PIECE_BYTES)
        return !response->head_only && !gateway_is_lost(response->gateway);
    return response_flush(response);
}

void stream_end(struct exchange *exchange)
{
    response_flush(exchange->response);
}
