/* Members' settings: the locator, the plan of CB channels, spots on other clusters (announcing),
 * and confirmations by other clubs (claims). Also answers with the code that identifies a member to
 * the cluster feed (src/feed/needed.c). */
#include "json/write_object.h"
#include "qso/channels.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/club/claiming.h"
#include "store/log/feed_members.h"
#include "store/log/network_spots.h"
#include "store/people/members.h"

/* Sets the member's locator. QSOs that already have a locator keep their locator. */
static const struct error *answer_locator(struct exchange *exchange)
{
    struct text locator;
    TRY(profile_read_locator(exchange, &locator));
    return profile_store_error(
        store_set_member(exchange->store, exchange->member.id, locator, (struct text){0}));
}

PROFILE_ROUTE(profile_locator, METHOD_POST, "locator", 204, answer_locator,
              .body = &body_small_object);

/* Sets the plan by which the log's owner numbers the CB channels; no text: none. */
static const struct error *answer_plan(struct exchange *exchange)
{
    const struct text code = json_read_text(exchange->sent, "channelPlan");
    const struct channel_plan *plan = channels_find_plan(code);
    if (!code.bytes || (code.length > 0 && !plan))
        return input_refuse(exchange, "channelPlan", "must be the code of a plan, or empty");
    return profile_store_error(store_set_channel_plan(
        exchange->store, exchange->member.id, plan ? text_of(plan->code) : (struct text){0}));
}

PROFILE_ROUTE_OF_LOG(profile_channel_plan, METHOD_POST, "channel-plan", 204, answer_plan,
                     .body = &body_small_object);

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

/* Answers with the feed code. The route is a POST because the first request creates the code's
 * secret. */
static const struct error *answer_code(struct exchange *exchange)
{
    char code[FEED_CODE_LENGTH + 1];
    TRY(profile_store_error(store_make_feed_code(exchange->store, exchange->member.id, code)));
    json_write_fields(exchange->body, json_text("code", text_of(code)));
    return NULL;
}

PROFILE_ROUTE(profile_feed_code, METHOD_POST, "feed-code", 200, answer_code,
              .body = &body_small_object);
