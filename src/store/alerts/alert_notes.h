/* Lists a member's alerts of the last days, and reports whether alerts are sent. */
#ifndef QSOSYNC_STORE_ALERT_NOTES_H
#define QSOSYNC_STORE_ALERT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "database/result.h"
#include "store/alerts/alert_limits.h"

struct store;

/* The reasons why an alert was held back. These numbers are stored, so they never change. */
enum alert_held { ALERT_NOT_HELD, ALERT_HELD_BY_HOUR, ALERT_HELD_BY_QUIET, ALERT_HELD_BY_MUTE };

struct alert_note {
    int64_t id;
    int64_t at_ms;
    struct text rule; /* name of the rule; no text: a trial */
    struct text dx_callsign, spotter;
    int64_t band;
    int64_t frequency_hz, channel; /* 0: unknown */
    int64_t mode;                  /* -1: unknown */
    int64_t held;                  /* enum alert_held */
    int64_t waiting, sent, failed; /* number of ways */
};
typedef void alert_note_visitor(void *context, const struct alert_note *note);

/* Calls visit for the member's newest alerts, at most ALERT_LISTED_MAX, newest first. The texts are
 * valid during the call. */
enum store_result store_list_alert_notes(struct store *store, int64_t member_id,
                                         alert_note_visitor *visit, void *context);

struct alert_state {
    bool is_off;       /* whether the operator has switched alerts off */
    int64_t ran_at_ms; /* time of the last run of "qsosync-admin alerts send"; 0: never */
};
enum store_result store_read_alert_state(struct store *store, struct alert_state *out);

/* A run is expected at least this often. If the last run is older, nothing sends alerts. */
#define ALERT_RUN_EXPECTED_MS 180000

#endif
