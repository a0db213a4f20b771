/* Points in time and their ISO 8601 text, in the proleptic Gregorian calendar.
 *
 * Reads neither the clock nor the local zone, and refuses a date without a zone. */
#include "base/datetime.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#define MINUTE_MS ((unsigned)DATETIME_MINUTE_MS)
#define HOUR_MS (60U * MINUTE_MS)
#define DAY_MS ((unsigned)DATETIME_DAY_MS)

#define DAYS_BEFORE_YEAR_1 306U /* from 0000-03-01 to 0001-01-01 */
#define DAYS_IN_400_YEARS 146097U

struct date {
    unsigned year;
    unsigned month; /* 1 to 12 */
    unsigned day;   /* 1 to 31 */
};

/* -- The calendar ------------------------------------------------------------------------------ */

/* In milliseconds since 1970. Returns false if the month has no such day. */
static bool find_day(const struct date *date, int64_t *ms)
{
    _Static_assert(sizeof(time_t) >= sizeof(int64_t), "the years 0001 to 9999 need 64 bits");
    struct tm tm = {.tm_year = (int)date->year - 1900,
                    .tm_mon = (int)date->month - 1,
                    .tm_mday = (int)date->day};
    *ms = (int64_t)timegm(&tm) * 1000;
    return tm.tm_mday == (int)date->day; /* the 31st of April became the 1st of May */
}

/* A page has thousands of times, and gmtime_r alone takes longer than all of datetime_format: so
 * here is plain arithmetic, in years that begin with March and have their leap day last. */
static struct date find_date(unsigned days)
{
    days += DAYS_BEFORE_YEAR_1;
    unsigned era = days / DAYS_IN_400_YEARS;
    unsigned day_of_era = days % DAYS_IN_400_YEARS;
    /* 1460, 36524 and 146096 are the last days of 4, of 100 and of 400 years, counted from 0. */
    unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned month = (5 * day_of_year + 2) / 153; /* March is 0 */
    return (struct date){
        .year = era * 400 + year_of_era + (month >= 10),
        .month = month < 10 ? month + 3 : month - 9,
        .day = day_of_year - (153 * month + 2) / 5 + 1,
    };
}

/* -- Reading ----------------------------------------------------------------------------------- */

static bool skip(struct text *rest, char character)
{
    if (rest->length == 0 || rest->bytes[0] != character)
        return false;
    rest->bytes++;
    rest->length--;
    return true;
}

static bool read_digit(struct text *rest, unsigned *value)
{
    if (rest->length == 0 || rest->bytes[0] < '0' || rest->bytes[0] > '9')
        return false;
    *value = *value * 10 + (unsigned)(rest->bytes[0] - '0');
    rest->bytes++;
    rest->length--;
    return true;
}

/* Exactly this many digits, as a number within the bounds. */
static bool read_number(struct text *rest, int digits, unsigned low, unsigned high, unsigned *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++)
        if (!read_digit(rest, value))
            return false;
    return *value >= low && *value <= high;
}

static bool read_date(struct text *rest, struct date *date)
{
    return read_number(rest, 4, 1, 9999, &date->year) && skip(rest, '-') &&
           read_number(rest, 2, 1, 12, &date->month) && skip(rest, '-') &&
           read_number(rest, 2, 1, 31, &date->day);
}

/* One digit or more, of which three count. */
static bool read_fraction(struct text *rest, unsigned *ms)
{
    unsigned digit = 0;
    unsigned weight = 100;
    *ms = 0;
    if (!read_digit(rest, &digit))
        return false;
    do {
        *ms += weight * digit;
        weight /= 10;
        digit = 0;
    } while (read_digit(rest, &digit));
    return true;
}

/* hh:mm[:ss[.fraction]] as milliseconds of the day. */
static bool read_time(struct text *rest, unsigned *ms_of_day)
{
    unsigned hour, minute;
    unsigned second = 0;
    unsigned ms = 0;
    if (!read_number(rest, 2, 0, 23, &hour) || !skip(rest, ':') ||
        !read_number(rest, 2, 0, 59, &minute))
        return false;
    if (skip(rest, ':')) {
        if (!read_number(rest, 2, 0, 60, &second) || (skip(rest, '.') && !read_fraction(rest, &ms)))
            return false;
    }
    unsigned ms_of_minute = second == 60 ? MINUTE_MS - 1 : second * 1000 + ms;
    *ms_of_day = hour * HOUR_MS + minute * MINUTE_MS + ms_of_minute;
    return true;
}

/* Z, +hh:mm, +hhmm or +hh, and nothing after it. */
static bool read_zone(struct text *rest, int64_t *offset_ms)
{
    unsigned hours;
    unsigned minutes = 0;
    if (skip(rest, 'Z') || skip(rest, 'z')) {
        *offset_ms = 0;
        return rest->length == 0;
    }
    bool is_west = skip(rest, '-');
    if ((!is_west && !skip(rest, '+')) || !read_number(rest, 2, 0, 23, &hours))
        return false;
    if (rest->length > 0) {
        (void)skip(rest, ':');
        if (!read_number(rest, 2, 0, 59, &minutes) || rest->length > 0)
            return false;
    }
    int64_t offset = (int64_t)hours * HOUR_MS + (int64_t)minutes * MINUTE_MS;
    *offset_ms = is_west ? -offset : offset;
    return true;
}

bool datetime_parse(struct text text, int64_t *ms)
{
    struct date date;
    unsigned ms_of_day;
    int64_t day_ms, offset_ms;
    if (!read_date(&text, &date) || (!skip(&text, 'T') && !skip(&text, 't')) ||
        !read_time(&text, &ms_of_day) || !read_zone(&text, &offset_ms) || !find_day(&date, &day_ms))
        return false;
    int64_t result = day_ms + ms_of_day - offset_ms;
    if (result < DATETIME_MINIMUM_MS || result > DATETIME_MAXIMUM_MS)
        return false;
    *ms = result;
    return true;
}

/* -- Writing ----------------------------------------------------------------------------------- */

static char *write_pair(char *out, unsigned value, char after)
{
    *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    *out++ = after;
    return out;
}

void datetime_format(int64_t ms, char *out)
{
    assert(ms >= DATETIME_MINIMUM_MS && ms <= DATETIME_MAXIMUM_MS);
    uint64_t since_year_1 = (uint64_t)(ms - DATETIME_MINIMUM_MS);
    struct date date = find_date((unsigned)(since_year_1 / DAY_MS));
    unsigned ms_of_day = (unsigned)(since_year_1 % DAY_MS);
    char hundreds_of_ms = (char)('0' + ms_of_day % 1000 / 100);
    out = write_pair(out, date.year / 100, '\0') - 1;
    out = write_pair(out, date.year % 100, '-');
    out = write_pair(out, date.month, '-');
    out = write_pair(out, date.day, 'T');
    out = write_pair(out, ms_of_day / HOUR_MS, ':');
    out = write_pair(out, ms_of_day / MINUTE_MS % 60, ':');
    out = write_pair(out, ms_of_day / 1000 % 60, '.');
    *out++ = hundreds_of_ms;
    (void)write_pair(out, ms_of_day % 100, 'Z');
}
