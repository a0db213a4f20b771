/* Stations on the operator's page: lists stations with their operators and the expiry of each
 * grant, and changes stations and grants. The commands station add, grant, revoke and set call the
 * same functions of the store. The store records which operator made each change. */
#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/site_error.h"
#include "store/people/grants.h"
#include "store/people/members.h"
#include "store/people/stations.h"

struct list {
    struct exchange *exchange;
    enum store_result result;
};

static void add_grant(void *context, const struct grant *grant)
{
    if (!grant->ended_ms)
        json_write_item(context, json_text("callsign", grant->member),
                        json_time("since", grant->granted_at_ms),
                        json_time("until", grant->until_ms));
}

static void add_station(void *context, const struct member *station)
{
    struct list *list = context;
    struct exchange *exchange = list->exchange;
    struct buffer *body = exchange->body;
    json_begin_item(body);
    json_write_fields(
        body, json_number("number", station->id), json_text("callsign", station->callsign),
        json_text("locator", station->locator), json_flag("active", station->active),
        json_flag("page", station->has_page), json_integer("qsos", station->qso_count));
    json_begin_array(body, "operators");
    THEN(list->result, store_list_grants(exchange->store, station->id,
                                         exchange->request->arrived_ms, add_grant, body));
    buffer_append_string(body, "]}");
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct list list = {exchange, STORE_DONE};
    json_begin_array(exchange->body, "items");
    enum store_result result = store_list_stations(exchange->store, add_station, &list);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(THEN(list.result, result));
}

static const struct error *answer_add(struct exchange *exchange)
{
    struct member station = {.is_station = true};
    TRY(operator_read_callsign(exchange, &station.callsign));
    TRY(profile_read_locator(exchange, &station.locator));
    station.login = member_default_login(exchange->arena, station.callsign);
    return operator_store_error(exchange, store_add_member(exchange->store, &station),
                                &site_error_callsign_taken);
}

static const struct error *find_operator(struct exchange *exchange, struct member *member)
{
    struct text callsign = text_trim(json_read_text(exchange->sent, "member"));
    enum store_result result =
        callsign.bytes ? store_find_member(exchange->store, exchange->arena, callsign, member)
                       : STORE_NONE;
    return result == STORE_NONE ? input_refuse(exchange, "member", "must be a member's callsign")
                                : profile_store_error(result);
}

/* Reads the last day of a grant. The grant expires at the end of that day (UTC); without a day, the
 * grant never expires. */
static const struct error *read_until(struct exchange *exchange, int64_t *until_ms)
{
    struct text day = text_trim(json_read_text(exchange->sent, "until"));
    *until_ms = 0;
    if (day.length == 0)
        return NULL;
    if (!datetime_parse_day(day, until_ms))
        return input_refuse(exchange, "until", "must be a day, such as 2026-12-31");
    *until_ms += DATETIME_DAY_MS;
    return *until_ms > exchange->request->arrived_ms
               ? NULL
               : input_refuse(exchange, "until", "must not be in the past");
}

static const struct error *answer_grant(struct exchange *exchange)
{
    struct member member;
    int64_t until_ms;
    TRY(find_operator(exchange, &member));
    TRY(read_until(exchange, &until_ms));
    return operator_store_error(exchange,
                                store_grant(exchange->store, exchange->number, member.id, until_ms),
                                &site_error_no_station);
}

static const struct error *answer_end_grant(struct exchange *exchange)
{
    struct member member;
    TRY(find_operator(exchange, &member));
    return operator_store_error(
        exchange, store_end_grant(exchange->store, exchange->number, member.id), &error_internal);
}

static const struct error *answer_page(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    return operator_store_error(exchange, store_set_log_page(exchange->store, exchange->number, on),
                                &error_internal);
}

OPERATOR_ROUTE(operator_stations, METHOD_GET, "stations", 200, answer_list);
OPERATOR_ROUTE(operator_add_station, METHOD_POST, "stations", 204, answer_add,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_grant, METHOD_POST, "stations/{number}/grant", 204, answer_grant,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_end_grant, METHOD_POST, "stations/{number}/revoke", 204, answer_end_grant,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_log_page, METHOD_POST, "stations/{number}/page", 204, answer_page,
               .body = &body_small_object);
