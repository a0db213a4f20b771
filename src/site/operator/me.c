/* GET /operator/data/me: the signed-in operator, and the time until which the operator need not
 * give the password or a passkey again. */
#include "json/write_object.h"
#include "site/operator/routes.h"
#include "store/people/sessions.h"

static const struct error *answer_me(struct exchange *exchange)
{
    json_write_fields(exchange->body, json_text("callsign", exchange->member.callsign),
                      json_number("number", exchange->member.id),
                      json_time("provedUntil", exchange->identity.proved_at_ms + SESSION_PROOF_MS));
    return NULL;
}

OPERATOR_ROUTE(operator_me, METHOD_GET, "me", 200, answer_me);
