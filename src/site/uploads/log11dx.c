/* The common parts of the routes in the format of LOG11DX, and the answer about a token. */
#include "site/uploads/log11dx.h"

#include "json/write.h"
#include "json/write_object.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"

struct buffer *log11dx_begin_answer(struct exchange *exchange, int status, const char *word,
                                    const char *message)
{
    exchange->status = status;
    json_write_fields(exchange->body, json_flag("ok", status == 200),
                      json_text("status", text_of(word)), json_text("message", text_of(message)));
    return exchange->body;
}

const struct error *log11dx_answer(struct exchange *exchange, int status, const char *word,
                                   const char *message)
{
    log11dx_begin_answer(exchange, status, word, message);
    return &route_answered;
}

const struct error *log11dx_identify(struct exchange *exchange)
{
    enum store_result result = uploads_identify(exchange, exchange->request->key, API_KEY_TOKEN);
    if (result == STORE_NONE)
        return log11dx_answer(exchange, 401, "invalid_token",
                              "The upload token is not valid. Create a new token in your profile.");
    return route_store_error(result);
}

/* Answers GET …/api/wsjtx/token-status.php. */
static const struct error *answer_token(struct exchange *exchange)
{
    struct buffer *body =
        log11dx_begin_answer(exchange, 200, "valid", "The upload token is valid.");
    json_write_text(body, "callsign", exchange->identity.callsign);
    return NULL;
}

LOG11DX_ROUTE(log11dx_token, METHOD_GET, "token-status.php", USES_SNAPSHOT, answer_token);
