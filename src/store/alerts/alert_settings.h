/* Stores what applies to all alerts of a member: hours, limits and muted stations. */
#ifndef QSOSYNC_STORE_ALERT_SETTINGS_H
#define QSOSYNC_STORE_ALERT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "store/alerts/alert_limits.h"

struct store;

struct alert_settings {
    struct text zone; /* name of the member's time zone, for the page; no text: UTC */
    /* the zone's offsets, as "SECONDS:MINUTES" separated by spaces, in ascending order: from the
     * time SECONDS (since 1970) on, the zone is MINUTES ahead of UTC. No text: UTC. The page
     * computes them, because the service has no tables of time zones */
    struct text offsets;
    int64_t quiet_from, quiet_to; /* minutes of the member's day; -1: no quiet hours */
    int64_t hourly;               /* maximum number of alerts per hour */
    int64_t muted_until_ms;       /* 0: not muted */
};

/* Returns the name of the first member whose value is not valid, or NULL. */
const char *alert_find_invalid_setting(const struct alert_settings *settings);

/* Reads the member's settings, or the defaults. The texts are in the arena. */
enum store_result store_read_alert_settings(struct store *store, int64_t member_id,
                                            struct arena *arena, struct alert_settings *out);

/* Stores the settings, which the caller has checked. Runs its own transaction. */
enum store_result store_set_alert_settings(struct store *store, int64_t member_id,
                                           const struct alert_settings *settings);

typedef void alert_mute_visitor(void *context, struct text callsign);

/* Calls visit for each muted station, by callsign. */
enum store_result store_list_alert_mutes(struct store *store, int64_t member_id,
                                         alert_mute_visitor *visit, void *context);

/* Mutes a station. Returns STORE_REFUSED if the text is not a callsign, or if ALERT_MUTES_MAX
 * stations are muted. Runs its own transaction. */
enum store_result store_add_alert_mute(struct store *store, int64_t member_id,
                                       struct text callsign);

/* Ends a mute. Returns STORE_NONE if the station is not muted. Runs its own transaction. */
enum store_result store_remove_alert_mute(struct store *store, int64_t member_id,
                                          struct text callsign);

#endif
