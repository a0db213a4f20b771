/* GET /profile/data/me: the signed-in member, and the addresses to enter into programs. The profile
 * page requests this answer before the page shows any section. */
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/log_page_switch.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "store/club/club.h"
#include "store/club/peers.h"
#include "store/log/uploads.h"
#include "store/people/grants.h"
#include "store/people/members.h"

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

/* Writes the callsign of the signed-in member, and the stations whose logs the member may choose.
 */
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
        json_text("locator", exchange->member.locator),
        json_text("channelPlan", exchange->member.channel_plan),
        json_text("login", exchange->member.login),
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
    json_begin_array(exchange->body, "peers"); /* other clubs that are paired with this club */
    enum store_result result = store_list_peers(exchange->store, add_peer, exchange->body);
    buffer_append(exchange->body, "]", 1);
    THEN(result, write_stations(exchange));
    log_page_write(exchange);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_me, METHOD_GET, "me", 200, answer_me);
