/* GET /profile/: the page for a signed-in browser; others are redirected to sign in. The page loads
 * its data from below /profile/data; page.c fills in the rest. */
#include <string.h>

#include "base/uuid.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "pages/profile.h"
#include "site/profile/log_page_switch.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "site/shared/device_cookie.h"
#include "site/shared/page.h"
#include "site/shared/session.h"
#include "site/sign_in/sign_in.h"
#include "store/club/claims_serve.h"
#include "store/club/club.h"
#include "store/club/peers.h"
#include "store/log/logbook.h"
#include "store/log/spots.h"
#include "store/people/grants.h"
#include "store/people/members.h"
#include "transfer/batch.h"

/* A browser that follows a link from another site omits the cookie (SameSite=Strict), even if the
 * page is reloaded. If a page of ours then sends the browser here again, it sends the cookie; "r"
 * shows that this was done. */
static bool may_have_left_cookie_out(struct exchange *exchange)
{
    const char *site = gateway_variable(exchange->request->gateway, "HTTP_SEC_FETCH_SITE");
    return !session_cookie(exchange).bytes && site && *site && strcmp(site, "same-origin") != 0 &&
           !text_equals(exchange->request->query, text_of("r"));
}

static const struct error *answer_page(struct exchange *exchange)
{
    exchange->is_private = true;
    if (access_find_session(exchange)) {
        page_answer(exchange, profile_html, "../", NULL);
    } else if (may_have_left_cookie_out(exchange)) {
        response_add_header(exchange->response, "Refresh", "0; url=./?r");
        page_opening_answer(exchange, "../", "./?r");
    } else {
        if (session_cookie(exchange).bytes) /* it has ended */
            device_cookie_end_session(exchange, 0);
        sign_in_redirect(exchange, "../sign-in?next=profile/");
    }
    return NULL;
}

PUBLIC_ROUTE(profile_page, METHOD_GET, "/profile/", USES_SNAPSHOT, 200, answer_page);

/* GET /profile/data/me: who is signed in, and the addresses to type into programs. The profile page
 * requests it first, before it shows any section. credentials.c has keys and tokens; address.c
 * makes the addresses. */

static void add_peer(void *context, const struct peer *peer)
{
    struct text name = peer->club.bytes ? peer->club : peer->name;
    json_write_element(context);
    json_append_string(context, name.bytes, name.length);
}

static void add_station(void *context, const struct grant *grant)
{
    if (!grant->ended_ms)
        json_write_item(context, json_text("callsign", grant->station),
                        json_time("until", grant->until_ms));
}

/* The owner of this log, and other logs that the member may choose. */
static enum store_result write_stations(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    json_write_text(exchange->body, "signedInAs",
                    identity->operator_id ? identity->operator_callsign : identity->callsign);
    json_begin_array(exchange->body, "stations");
    enum store_result result = store_list_grants(
        exchange->store, identity->operator_id ? identity->operator_id : identity->member_id,
        exchange->request->arrived_ms, add_station, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return result;
}

static const struct error *answer_me(struct exchange *exchange)
{
    bool uploads = false;
    TRY(profile_store_error(store_read_uploads(exchange->store, &uploads)));
    json_write_fields(
        exchange->body, json_text("callsign", exchange->member.callsign),
        json_text("locator", exchange->member.locator), json_text("login", exchange->member.login),
        json_number("session", exchange->identity.key_number),
        json_flag("hasPassword", exchange->member.has_password),
        json_flag("maySetPassword", exchange->identity.may_set_password),
        json_flag("isOperator", exchange->identity.is_operator),
        json_text("club", club_of(exchange)->values[CLUB_NAME]),
        json_text("address", text_of(address_below(exchange, "/api/v1"))),
        json_text("uploadAddress", text_of(uploads ? address_below(exchange, "/cloudlog") : NULL)),
        json_text("otherClusters", club_of(exchange)->values[CLUB_CLUSTERS]),
        json_flag("announces", exchange->member.announces_since_ms != 0),
        json_flag("claims", exchange->member.claims));
    json_begin_array(exchange->body, "peers"); /* other clubs that confirm */
    enum store_result result = store_list_peers(exchange->store, add_peer, exchange->body);
    buffer_append(exchange->body, "]", 1);
    THEN(result, write_stations(exchange));
    log_page_write(exchange);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_me, METHOD_GET, "me", 200, answer_me);

/* POST /profile/data/qsos and DELETE /profile/data/qsos/{clientId}: a member adds, changes and
 * deletes QSOs on the profile page, by the rules of the API. The history names the session as the
 * writer. A page sends one QSO at a time, in a batch like the API's, so that both work alike. */

#define CLIENT_ID_SEGMENT 3 /* /profile/data/qsos/{clientId} */

static const struct error *answer_save(struct exchange *exchange)
{
    const struct json_fields *sent;
    struct batch batch;
    struct transaction transaction;
    TRY(body_read_object(exchange, &sent));
    if (!batch_read(sent, exchange->arena, &batch))
        return input_refuse(exchange, BATCH_LIST, BATCH_RULE);
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    TRY(profile_store_error(store_finish(
        &transaction, batch_save(&transaction, &exchange->identity, &batch, exchange->arena))));
    batch_append_results(&batch, exchange->body);
    return NULL;
}

static const struct error *answer_delete(struct exchange *exchange)
{
    unsigned char client_id[UUID_BYTES];
    struct transaction transaction;
    if (!uuid_parse_text(exchange->request->segments[CLIENT_ID_SEGMENT], client_id))
        return input_refuse(exchange, "clientId", "must be a UUID");
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    return profile_store_error(
        store_finish(&transaction, store_delete_qso(&transaction, &exchange->identity, client_id)));
}

/* The body is a batch, like the API's. */
static const struct route_body batch_body = {.bytes_max = REQUEST_BODY_MAX_BYTES,
                                             .json = BATCH_BOUNDS};

SITE_ROUTE(profile_save_qsos, METHOD_POST, "/profile/data/qsos", .access = ACCESS_LOG,
           .use = USES_STORE, .body = &batch_body, .status = 200, .answer = answer_save);
PROFILE_ROUTE_OF_LOG(profile_delete_qso, METHOD_DELETE, "qsos/{clientId}", 204, answer_delete);

/* POST /profile/data/feed-code: the code that identifies the member to the cluster feed. It is a
 * POST because the first request creates the secret behind the code. src/feed/filter.c uses the
 * code. */

static const struct error *answer_code(struct exchange *exchange)
{
    char code[FEED_CODE_LENGTH + 1];
    TRY(profile_store_error(store_make_feed_code(exchange->store, exchange->member.id, code)));
    json_write_fields(exchange->body, json_text("code", text_of(code)));
    return NULL;
}

PROFILE_ROUTE(profile_feed_code, METHOD_POST, "feed-code", 200, answer_code,
              .body = &body_small_object);

/* POST /profile/data/locator: sets the member's locator. QSOs with a locator of their own keep it.
 */

static const struct error *answer_locator(struct exchange *exchange)
{
    struct text locator;
    TRY(profile_read_locator(exchange, &locator));
    return profile_store_error(
        store_set_member(exchange->store, exchange->member.id, locator, (struct text){0}));
}

PROFILE_ROUTE(profile_locator, METHOD_POST, "locator", 204, answer_locator,
              .body = &body_small_object);

/* POST /profile/data/announcing and claims: a member allows or forbids announcing spots on other
 * clusters, and joins or leaves confirmations by other clubs. */

static const struct error *answer_switch(struct exchange *exchange)
{
    bool announces = exchange->route == &route_profile_announcing, on;
    TRY(profile_read_flag(exchange, announces ? "announces" : "claims", &on));
    return profile_store_error((announces ? store_set_announcer : store_set_claiming)(
        exchange->store, exchange->member.id, on));
}

PROFILE_ROUTE_OF_LOG(profile_announcing, METHOD_POST, "announcing", 204, answer_switch,
                     .body = &body_small_object);
PROFILE_ROUTE_OF_LOG(profile_claims, METHOD_POST, "claims", 204, answer_switch,
                     .body = &body_small_object);
