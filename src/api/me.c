/* GET /me: the member a key belongs to, and what the key may do (API section 4.1). Programs ask it
 * to find out whether a key works. Nothing is looked up here: the router has found the member
 * already. */
#include "api/endpoint.h"
#include "json/write.h"

static const struct error *answer(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    struct buffer *body = &exchange->response->body;
    buffer_append_string(body, "{\"callsign\":");
    json_append_string(body, identity->callsign.bytes, identity->callsign.length);
    buffer_append_string(body, ",\"locator\":");
    json_append_string(body, identity->locator.bytes, identity->locator.length);
    buffer_append_string(body, ",\"scope\":\"");
    buffer_append_string(body, store_scope_name(identity->scope));
    buffer_append_string(body, "\"}");
    return NULL;
}

ENDPOINT(me) = {
    .route.method = METHOD_GET,
    .route.path = "/me",
    .route.access = ACCESS_READ_KEY,
    .route.use = USES_SNAPSHOT,
    .route.status = 200,
    .route.answer = answer,
    .operation_id = "getMember",
    .summary = "The member that the key belongs to",
    .description = "Tells whose log the key opens and what it allows; a good first call.",
    .success = "The member and the scope of the key.",
    .response_schema = "Member",
    .errors = {&error_key_invalid, &error_rate_limited},
};
