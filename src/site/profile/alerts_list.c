/* GET /profile/data/alerts: a member's rules, ways and settings for alerts, and the alerts of the
 * last days. */
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "site/profile/alerts.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/alerts/alert_notes.h"

static const char *state_of(const struct alert_note *note)
{
    return note->held ? "HELD" : note->sent ? "SENT" : note->waiting ? "WAITING" : "FAILED";
}

static void write_note(void *context, const struct alert_note *note)
{
    static const char *const held[] = {NULL, "HOUR", "QUIET", "MUTED"};
    struct exchange *exchange = context;
    const char *mode = note->mode < 0 ? NULL : fields[FIELD_MODE].choices[note->mode];
    const char *mhz = arena_print(exchange->arena, "%.3f", (double)note->frequency_hz / 1e6);
    json_write_item(exchange->body, json_time("at", note->at_ms), json_text("rule", note->rule),
                    json_text("callsign", note->dx_callsign), json_text("spotter", note->spotter),
                    json_text("band", text_of(fields[FIELD_BAND].choices[note->band])),
                    json_text("frequencyMhz", note->frequency_hz ? text_of(mhz) : (struct text){0}),
                    json_integer_or_null("channel", note->channel),
                    json_text("mode", mode ? text_of(mode) : (struct text){0}),
                    json_text("state", text_of(state_of(note))),
                    json_text("held", note->held ? text_of(held[note->held]) : (struct text){0}));
}

static const struct error *answer_alerts(struct exchange *exchange)
{
    struct alert_state state;
    TRY(profile_store_error(store_read_alert_state(exchange->store, &state)));
    const int64_t age_ms = exchange->request->arrived_ms - state.ran_at_ms;
    json_write_fields(exchange->body, json_flag("isOn", !state.is_off),
                      json_flag("isSending", age_ms < ALERT_RUN_EXPECTED_MS));
    TRY(profile_store_error(alerts_write_rules(exchange)));
    TRY(profile_store_error(alerts_write_ways(exchange)));
    TRY(profile_store_error(alerts_write_settings(exchange)));
    json_begin_array(exchange->body, "latest");
    enum store_result result =
        store_list_alert_notes(exchange->store, exchange->member.id, write_note, exchange);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_alerts, METHOD_GET, "alerts", 200, answer_alerts);
