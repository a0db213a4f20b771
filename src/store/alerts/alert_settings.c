/* Checks and stores what applies to all alerts of a member. alert_hours.c interprets the offsets.
 */
#include "store/alerts/alert_settings.h"

#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/match_callsign.h"
#include "store/alerts/alert_hours.h"
#include "store/alerts/alert_rules.h"
#include "store/store.h"
#include "store/transaction.h"

static bool is_minute(int64_t minute)
{
    return minute >= -1 && minute < ALERT_DAY_MINUTES;
}

const char *alert_find_invalid_setting(const struct alert_settings *settings)
{
    if (settings->zone.bytes &&
        (settings->zone.length == 0 || settings->zone.length > ALERT_ZONE_MAX ||
         text_has_control(settings->zone) ||
         !text_is_utf8(settings->zone.bytes, settings->zone.length)))
        return "zone";
    if (settings->offsets.bytes && !alert_are_offsets(settings->offsets))
        return "offsets";
    if (!is_minute(settings->quiet_from) || !is_minute(settings->quiet_to) ||
        (settings->quiet_from < 0) != (settings->quiet_to < 0))
        return "quiet";
    return settings->hourly >= 1 && settings->hourly <= ALERT_HOURLY_MAX ? NULL : "hourly";
}

enum store_result store_read_alert_settings(struct store *store, int64_t member_id,
                                            struct arena *arena, struct alert_settings *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(alert_settings, zone, "zone"), COLUMN(alert_settings, offsets, "offsets"),
                COLUMN_OR(alert_settings, quiet_from, "quiet_from", -1),
                COLUMN_OR(alert_settings, quiet_to, "quiet_to", -1),
                COLUMN(alert_settings, hourly, "hourly"),
                COLUMN(alert_settings, muted_until_ms, "muted_until"));
    *out =
        (struct alert_settings){.quiet_from = -1, .quiet_to = -1, .hourly = ALERT_HOURLY_DEFAULT};
    enum store_result result = store_find(store, columns, arena, out, STATEMENT_READ_ALERT_SETTINGS,
                                          BIND("id", member_id));
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_set_alert_settings(struct store *store, int64_t member_id,
                                           const struct alert_settings *settings)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_SET_ALERT_SETTINGS, BIND("member_id", member_id),
                           BIND("zone", settings->zone), BIND("offsets", settings->offsets),
                           BIND_IF(settings->quiet_from >= 0, "quiet_from", settings->quiet_from),
                           BIND_IF(settings->quiet_to >= 0, "quiet_to", settings->quiet_to),
                           BIND("hourly", settings->hourly),
                           BIND("muted_until", settings->muted_until_ms)));
    return store_finish(&transaction, result);
}

enum store_result store_list_alert_mutes(struct store *store, int64_t member_id,
                                         alert_mute_visitor *visit, void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_ALERT_MUTES, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "callsign"));
    return result;
}

enum store_result store_add_alert_mute(struct store *store, int64_t member_id, struct text callsign)
{
    struct transaction transaction;
    struct match_callsign key;
    match_normalise_callsign(callsign, &key);
    if (key.length == 0 || !text_is_utf8(callsign.bytes, callsign.length) ||
        text_has_control(callsign) || text_count_code_points(callsign) > 20)
        return STORE_REFUSED;
    enum store_result result = store_begin_write(store, &transaction);
    if (result == STORE_DONE) {
        result = store_change(store, STATEMENT_INSERT_ALERT_MUTE, BIND("member_id", member_id),
                              BIND("callsign_key", match_text(&key)), BIND("callsign", callsign),
                              BIND("most", ALERT_MUTES_MAX));
        result = result == STORE_NONE ? STORE_REFUSED : result;
    }
    return store_finish(&transaction, result);
}

enum store_result store_remove_alert_mute(struct store *store, int64_t member_id,
                                          struct text callsign)
{
    struct transaction transaction;
    struct match_callsign key;
    match_normalise_callsign(callsign, &key);
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_DELETE_ALERT_MUTE, BIND("member_id", member_id),
                              BIND("callsign_key", match_text(&key))));
    return store_finish(&transaction, result);
}
