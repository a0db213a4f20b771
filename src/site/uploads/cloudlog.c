/* The common parts of the routes in the format of Cloudlog and Wavelog. The parts of the answers
 * that clients compare are exactly those of Cloudlog and Wavelog. */
#include "site/uploads/cloudlog.h"

#include "base/api_key.h"
#include "json/read.h"
#include "json/write_object.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "worker/body.h"

#define TOKEN_SEGMENT 3 /* /cloudlog/api/auth/{token} */

void cloudlog_simplify_path(struct request *request)
{
    if (request->segment_count == 0 || request->segment_count > REQUEST_SEGMENTS_MAX ||
        !text_equals(request->segments[0], text_of("cloudlog")))
        return;
    size_t kept = 1;
    for (size_t i = 1; i < request->segment_count; i++) {
        struct text segment = request->segments[i];
        bool is_ignored =
            segment.length == 0 || (kept == 1 && text_equals(segment, text_of("index.php")));
        if (!is_ignored)
            request->segments[kept++] = segment;
    }
    request->segment_count = kept;
}

const struct error *cloudlog_refuse(struct exchange *exchange, int status, const char *reason)
{
    exchange->status = status;
    json_write_item(exchange->body, json_text("status", text_of("failed")),
                    json_text("reason", text_of(reason)));
    return &route_answered;
}

const struct error *cloudlog_refuse_token(struct exchange *exchange)
{
    return cloudlog_refuse(exchange, 401, "missing or wrong api key");
}

const struct error *cloudlog_identify(struct exchange *exchange, struct text token)
{
    enum store_result result = uploads_identify(exchange, token, API_KEY_TOKEN);
    return result == STORE_NONE ? cloudlog_refuse_token(exchange) : route_store_error(result);
}

struct text cloudlog_path_token(const struct exchange *exchange)
{
    return exchange->request->segments[TOKEN_SEGMENT];
}

const struct error *cloudlog_read_body(struct exchange *exchange, const struct json_fields **body)
{
    const struct error *error = body_read_object(exchange, body);
    if (error)
        return error->status == 400 ? cloudlog_refuse(exchange, 400, "wrong JSON") : error;
    return cloudlog_identify(exchange, json_read_text(*body, "key"));
}

const struct route_body cloudlog_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = BODY_UNKNOWN_MAX_BYTES, .json = {.items_max = 64}};
