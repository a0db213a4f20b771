/* localtime_r uses only the zone in the environment variable TZ. So the zone is set once for all
 * rows, and not for each row, because the C library reads the zone's file every time. */
#include "transfer/sheet_zone.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/text.h"

#define ZONES "/usr/share/zoneinfo/"
#define NAME_MAX_BYTES 64

static bool is_utc(const char *zone)
{
    return strcmp(zone, "UTC") == 0;
}

/* Reads an offset from UTC, such as +09:00. */
static bool read_distance(const char *zone, int64_t *ms)
{
    if ((zone[0] != '+' && zone[0] != '-') || strlen(zone) != 6 || zone[3] != ':')
        return false;
    for (int i = 1; i < 6; i++)
        if (i != 3 && !isdigit((unsigned char)zone[i]))
            return false;
    const int64_t minutes =
        ((zone[1] - '0') * 10 + zone[2] - '0') * 60 + (zone[4] - '0') * 10 + zone[5] - '0';
    *ms = (zone[0] == '-' ? -1 : 1) * minutes * DATETIME_MINUTE_MS;
    return true;
}

bool sheet_zone_exists(const char *zone)
{
    char path[sizeof ZONES + NAME_MAX_BYTES] = ZONES;
    int64_t ms;
    if (is_utc(zone) || read_distance(zone, &ms))
        return true;
    if (!isalpha((unsigned char)zone[0]) || strlen(zone) > NAME_MAX_BYTES || strstr(zone, ".."))
        return false;
    for (const char *at = zone; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_+-/", *at))
            return false;
    memcpy(path + strlen(ZONES), zone, strlen(zone) + 1);
    return access(path, R_OK) == 0 && zone[strlen(zone) - 1] != '/';
}

const char *sheet_zone_enter(const char *zone, struct arena *arena)
{
    const char *previous = getenv("TZ");
    previous = previous ? arena_copy(arena, previous, strlen(previous)) : NULL;
    setenv("TZ", arena_print(arena, ":%s", zone), true);
    tzset();
    return previous;
}

void sheet_zone_leave(const char *previous)
{
    if (previous)
        setenv("TZ", previous, true);
    else
        unsetenv("TZ");
    tzset();
}

static int64_t offset_at(const char *zone, int64_t ms)
{
    int64_t distance;
    struct tm local;
    if (is_utc(zone))
        return 0;
    if (read_distance(zone, &distance))
        return distance;
    const int64_t second = DATETIME_SECOND_MS;
    const time_t seconds = (time_t)(ms >= 0 ? ms / second : -((-ms + second - 1) / second));
    return localtime_r(&seconds, &local) ? local.tm_gmtoff * second : 0;
}

int64_t sheet_zone_to_utc(int64_t local_ms, const char *zone, enum sheet_clock *clock)
{
    const int64_t before = offset_at(zone, local_ms - DATETIME_DAY_MS),
                  after = offset_at(zone, local_ms + DATETIME_DAY_MS);
    const bool fits_before = offset_at(zone, local_ms - before) == before;
    const bool fits_after = offset_at(zone, local_ms - after) == after;
    *clock = CLOCK_ONCE;
    if (!fits_before && !fits_after) {
        *clock = CLOCK_SKIPPED;
        return local_ms - before;
    }
    if (fits_before && fits_after) {
        *clock = before == after ? CLOCK_ONCE : CLOCK_TWICE;
        return local_ms - (before > after ? before : after);
    }
    return local_ms - (fits_before ? before : after);
}
