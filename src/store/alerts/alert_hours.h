/* The member's local time, for the hours of alerts. */
#ifndef QSOSYNC_STORE_ALERT_HOURS_H
#define QSOSYNC_STORE_ALERT_HOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* A minute of the day (0 to 1439), and a day of the week (0 Monday to 6 Sunday). */
struct alert_hour {
    int64_t minute, weekday;
};

/* Returns whether the text is a list of offsets as in struct alert_settings. */
bool alert_are_offsets(struct text offsets);

/* Returns the member's local time. Before the first offset, and without offsets, it is UTC. */
struct alert_hour alert_hour_of(struct text offsets, int64_t at_ms);

/* Returns whether the minute is in the hours from `from` up to, but not including, `to`, which can
 * pass midnight. If `from` is negative, there are no hours, and the result is otherwise. */
bool alert_is_between(int64_t minute, int64_t from, int64_t to, bool otherwise);

#endif
