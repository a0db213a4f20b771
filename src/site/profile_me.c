/* GET /profile/data/me: who is logged in, and the addresses to type into programs. The profile page
 * asks it first, before it shows any section. Keys and tokens are not in it (profile_keys.c); the
 * addresses are made in address.c. */
#include "site/address.h"
#include "site/club.h"
#include "json/write.h"
#include "site/profile.h"
#include "store/logbook.h"

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    bool uploads = false;
    if (store_read_uploads(exchange->store, &uploads) != STORE_DONE)
        return &error_internal;
    buffer_append(body, "{", 1);
    json_write_text(body, "callsign", exchange->member.callsign);
    json_write_text(body, "locator", exchange->member.locator);
    json_write_text(body, "login", exchange->member.login);
    json_write_number_text(body, "session", exchange->identity.key_number);
    json_write_flag(body, "hasPassword", exchange->member.has_password);
    json_write_flag(body, "maySetPassword", exchange->identity.may_set_password);
    json_write_flag(body, "isOperator", exchange->identity.is_operator);
    json_write_text(body, "club", club_of(exchange)->values[CLUB_NAME]);
    json_write_text(body, "address", text_of(address_of_api(exchange)));
    json_write_text(body, "uploadAddress", text_of(uploads ? address_of_uploads(exchange) : NULL));
    buffer_append(body, "}", 1);
    return NULL;
}

PROFILE_ROUTE(profile_me, METHOD_GET, "me", USES_SNAPSHOT, 200, answer);
