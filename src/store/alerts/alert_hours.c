/* Computes local times from a list of offsets, because a worker may not read the system's tables of
 * time zones. */
#include "store/alerts/alert_hours.h"

#include "base/datetime.h"
#include "store/alerts/alert_limits.h"
#include "store/alerts/alert_rules.h"

#define SECONDS_MAX 253402300799 /* the year 9999 */
#define OFFSET_MAX (14 * 60)     /* minutes */

static bool read_offset(struct text *rest, int64_t *from_s, int64_t *minutes)
{
    struct text offset = text_split_next(rest, ' ');
    const struct text from = text_split_next(&offset, ':');
    return text_parse_integer(from, 0, SECONDS_MAX, from_s) &&
           text_parse_integer(offset, -OFFSET_MAX, OFFSET_MAX, minutes);
}

bool alert_are_offsets(struct text offsets)
{
    int64_t from_s, minutes, last_s = -1;
    if (offsets.length == 0 || offsets.length > ALERT_OFFSETS_MAX)
        return false;
    while (offsets.bytes) {
        if (!read_offset(&offsets, &from_s, &minutes) || from_s <= last_s)
            return false;
        last_s = from_s;
    }
    return true;
}

struct alert_hour alert_hour_of(struct text offsets, int64_t at_ms)
{
    int64_t from_s, minutes, ahead = 0;
    while (offsets.bytes && read_offset(&offsets, &from_s, &minutes) && from_s <= at_ms / 1000)
        ahead = minutes;
    const int64_t minute = at_ms / DATETIME_MINUTE_MS + ahead;
    /* 1970-01-01 was a Thursday. */
    return (struct alert_hour){.minute = minute % ALERT_DAY_MINUTES,
                               .weekday = (minute / ALERT_DAY_MINUTES + 3) % 7};
}

bool alert_is_between(int64_t minute, int64_t from, int64_t to, bool otherwise)
{
    if (from < 0)
        return otherwise;
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
