/* Reads and writes ISO 8601, in the proleptic Gregorian calendar.
 *
 * Reads neither the clock nor the local time zone, and rejects a time without a zone. */
#include "base/datetime.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#define HOUR_MS (60 * DATETIME_MINUTE_MS)
#define DAYS_TO_YEAR_1 306 /* from 1 March of the year 0 to 1 January of the year 1 */
#define DAYS_OF_4_YEARS 1461
#define DAYS_OF_100_YEARS 36524
#define DAYS_OF_400_YEARS 146097

/* Skips the first character if it is one of `characters`; otherwise returns false. */
static bool skip(struct text *rest, const char *characters)
{
    const bool found = rest->length > 0 && memchr(characters, rest->bytes[0], strlen(characters));
    *rest = text_skip(*rest, found);
    return found;
}

/* Reads a number of exactly `digits` digits, within the bounds. */
static bool read_number(struct text *rest, size_t digits, unsigned low, unsigned high,
                        unsigned *value)
{
    int64_t number;
    if (rest->length < digits || !isdigit((unsigned char)rest->bytes[0]) ||
        !text_parse_integer((struct text){rest->bytes, digits}, low, high, &number))
        return false;
    *rest = text_skip(*rest, digits);
    *value = (unsigned)number;
    return true;
}

/* Reads a fraction of a second as milliseconds, and ignores digits after the third. */
static bool read_fraction(struct text *rest, unsigned *ms)
{
    const size_t digits = text_count_leading(*rest, isdigit);
    *ms = 0;
    for (size_t i = 0; i < 3; i++)
        *ms = *ms * 10 + (i < digits ? (unsigned)(rest->bytes[i] - '0') : 0);
    *rest = text_skip(*rest, digits);
    return digits > 0;
}

/* Reads Z, +hh:mm, +hhmm or +hh (or minus) at the end of the text. */
static bool read_zone(struct text *rest, int64_t *offset_ms)
{
    unsigned hours = 0, minutes = 0;
    bool is_west = skip(rest, "-");
    if (is_west || skip(rest, "+")) {
        if (!read_number(rest, 2, 0, 23, &hours))
            return false;
        if (rest->length > 0) {
            (void)skip(rest, ":");
            if (!read_number(rest, 2, 0, 59, &minutes))
                return false;
        }
    } else if (!skip(rest, "Zz")) {
        return false;
    }
    *offset_ms = (hours * HOUR_MS + minutes * DATETIME_MINUTE_MS) * (is_west ? -1 : 1);
    return rest->length == 0;
}

bool datetime_parse(struct text text, int64_t *ms)
{
    _Static_assert(sizeof(time_t) >= sizeof(int64_t), "the years 0001 to 9999 need 64 bits");
    unsigned year, month, day, hour, minute, second = 0, ms_of_second = 0;
    int64_t offset_ms;
    if (!read_number(&text, 4, 1, 9999, &year) || !skip(&text, "-") ||
        !read_number(&text, 2, 1, 12, &month) || !skip(&text, "-") ||
        !read_number(&text, 2, 1, 31, &day) || !skip(&text, "Tt") ||
        !read_number(&text, 2, 0, 23, &hour) || !skip(&text, ":") ||
        !read_number(&text, 2, 0, 59, &minute))
        return false;
    if (skip(&text, ":") && (!read_number(&text, 2, 0, 60, &second) ||
                             (skip(&text, ".") && !read_fraction(&text, &ms_of_second))))
        return false;
    if (!read_zone(&text, &offset_ms))
        return false;
    struct tm tm = {.tm_year = (int)year - 1900,
                    .tm_mon = (int)month - 1,
                    .tm_mday = (int)day,
                    .tm_hour = (int)hour,
                    .tm_min = (int)minute,
                    .tm_sec = (int)(second == 60 ? 59 : second)};
    int64_t result = (int64_t)timegm(&tm) * 1000 + (second == 60 ? 999 : ms_of_second) - offset_ms;
    if (tm.tm_mday != (int)day || /* the day does not exist: timegm turns 31 April into 1 May */
        result < DATETIME_MINIMUM_MS || result > DATETIME_MAXIMUM_MS)
        return false;
    *ms = result;
    return true;
}

bool datetime_parse_day(struct text text, int64_t *ms)
{
    static const char pattern[] = "YYYY-MM-DDT00:00Z";
    const size_t length = strlen("YYYY-MM-DD");
    char midnight[sizeof pattern];
    if (text.length != length)
        return false;
    memcpy(midnight, pattern, sizeof pattern);
    memcpy(midnight, text.bytes, length);
    return datetime_parse((struct text){midnight, sizeof pattern - 1}, ms);
}

static char *write_pair(char *out, unsigned value, char after)
{
    *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    *out++ = after;
    return out;
}

/* Returns the date and time in UTC, without the milliseconds. */
static struct tm date_of(int64_t ms)
{
    assert(ms >= DATETIME_MINIMUM_MS && ms <= DATETIME_MAXIMUM_MS);
    const time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm date;
    gmtime_r(&seconds, &date);
    return date;
}

/* Does not use gmtime_r, which takes ten times as long, because this function runs for each QSO of
 * a log. Years begin with March here, so that a leap day is the last day of its year. */
int datetime_count_months(int64_t ms)
{
    assert(ms >= DATETIME_MINIMUM_MS && ms <= DATETIME_MAXIMUM_MS);
    const int day = (int)((ms - DATETIME_MINIMUM_MS) / DATETIME_DAY_MS) + DAYS_TO_YEAR_1;
    const int of_cycle = day % DAYS_OF_400_YEARS;
    const int year = (of_cycle - of_cycle / (DAYS_OF_4_YEARS - 1) + of_cycle / DAYS_OF_100_YEARS -
                      of_cycle / (DAYS_OF_400_YEARS - 1)) /
                     365;
    const int of_year = of_cycle - (365 * year + year / 4 - year / 100);
    const int month =
        (5 * of_year + 2) / 153; /* five months, beginning with March, have 153 days */
    return (day / DAYS_OF_400_YEARS * 400 + year) * 12 + 2 + month;
}

void datetime_format(int64_t ms, char *out)
{
    const struct tm date = date_of(ms);
    unsigned ms_of_second = (unsigned)((ms - DATETIME_MINIMUM_MS) % 1000);
    unsigned year = (unsigned)date.tm_year + 1900;
    out = write_pair(out, year / 100, '\0') - 1;
    out = write_pair(out, year % 100, '-');
    out = write_pair(out, (unsigned)date.tm_mon + 1, '-');
    out = write_pair(out, (unsigned)date.tm_mday, 'T');
    out = write_pair(out, (unsigned)date.tm_hour, ':');
    out = write_pair(out, (unsigned)date.tm_min, ':');
    out = write_pair(out, (unsigned)date.tm_sec, '.');
    *out++ = (char)('0' + ms_of_second / 100);
    (void)write_pair(out, ms_of_second % 100, 'Z');
}
