/* Stores what applies to all alerts of a member: quiet hours, a maximum per hour, the time until
 * which all alerts are muted, and muted stations. */
#include "base/datetime.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/match_callsign.h"
#include "site/profile/alerts.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/alerts/alert_settings.h"

static void write_mute(void *context, struct text callsign)
{
    struct buffer *body = context;
    json_write_element(body);
    json_append_string(body, callsign.bytes, callsign.length);
}

enum store_result alerts_write_settings(struct exchange *exchange)
{
    const int64_t member_id = exchange->member.id;
    struct alert_settings settings = {0};
    enum store_result result =
        store_read_alert_settings(exchange->store, member_id, exchange->arena, &settings);
    const bool is_muted = settings.muted_until_ms > exchange->request->arrived_ms;
    json_write_fields(exchange->body, json_text("zone", settings.zone),
                      json_integer("hourly", settings.hourly),
                      json_time("mutedUntil", is_muted ? settings.muted_until_ms : 0));
    alerts_write_number(exchange, "quietFrom", settings.quiet_from);
    alerts_write_number(exchange, "quietTo", settings.quiet_to);
    json_begin_array(exchange->body, "mutes");
    if (result == STORE_DONE)
        result = store_list_alert_mutes(exchange->store, member_id, write_mute, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return result;
}

/* Reads the time until which alerts are muted; null: alerts are not muted. */
static const struct error *read_muted_until(struct exchange *exchange, int64_t *until_ms)
{
    const struct text text = json_read_text(exchange->sent, "mutedUntil");
    if (!json_has(exchange->sent, "mutedUntil"))
        return NULL;
    *until_ms = 0;
    return !text.bytes || datetime_parse(text, until_ms)
               ? NULL
               : input_refuse(exchange, "mutedUntil", "is not valid");
}

/* Changes the settings in the body. The others stay. */
static const struct error *answer_settings(struct exchange *exchange)
{
    const int64_t member_id = exchange->member.id;
    struct alert_settings settings;
    TRY(profile_store_error(
        store_read_alert_settings(exchange->store, member_id, exchange->arena, &settings)));
    TRY(alerts_read_number(exchange, "quietFrom", &settings.quiet_from));
    TRY(alerts_read_number(exchange, "quietTo", &settings.quiet_to));
    TRY(alerts_read_number(exchange, "hourly", &settings.hourly));
    TRY(read_muted_until(exchange, &settings.muted_until_ms));
    if (json_has(exchange->sent, "zone")) {
        settings.zone = json_read_text(exchange->sent, "zone");
        settings.offsets = json_read_text(exchange->sent, "offsets");
    }
    const char *invalid = alert_find_invalid_setting(&settings);
    if (invalid)
        return input_refuse(exchange, invalid, "is not valid");
    return profile_store_error(store_set_alert_settings(exchange->store, member_id, &settings));
}

static const struct error *answer_mute(struct exchange *exchange)
{
    const struct text callsign = text_trim(json_read_text(exchange->sent, "callsign"));
    struct match_callsign normal;
    match_normalise_callsign(callsign, &normal);
    if (normal.length == 0)
        return input_refuse(exchange, "callsign", "is not valid");
    return alerts_store_error(
        (exchange->route == &route_profile_mute_station
             ? store_add_alert_mute
             : store_remove_alert_mute)(exchange->store, exchange->member.id, callsign));
}

PROFILE_ROUTE(profile_alert_settings, METHOD_POST, "alerts/settings", 204, answer_settings,
              .body = &body_small_object);
PROFILE_ROUTE(profile_mute_station, METHOD_POST, "alerts/mutes", 204, answer_mute,
              .body = &body_small_object);
PROFILE_ROUTE(profile_unmute_station, METHOD_POST, "alerts/mutes/remove", 204, answer_mute,
              .body = &body_small_object);
