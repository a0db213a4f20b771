/* GET /me: the member to whom a key belongs, and the key's scope (API section 4.1). Programs use
 * this endpoint to test a key. The router has already found the member, so nothing else is looked
 * up. */
#include "api/endpoint.h"
#include "json/write.h"
#include "json/write_object.h"

static const struct error *answer(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    json_write_fields(exchange->body, json_text("callsign", identity->callsign),
                      json_text("locator", identity->locator),
                      json_text("scope", text_of(store_scope_name(identity->scope))));
    if (identity->channel_plan.bytes)
        json_write_text(exchange->body, "channelPlan", identity->channel_plan);
    return NULL;
}

ROUTE(me) = {
    .method = METHOD_GET,
    .path = "/me",
    .access = ACCESS_READ_KEY,
    .use = USES_SNAPSHOT,
    .status = 200,
    .is_object = true,
    .answer = answer,
};
