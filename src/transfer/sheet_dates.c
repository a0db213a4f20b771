/* Dates with numbers or with the name of a month, in the forms that logging programs and people
 * use. */
#include "transfer/sheet_dates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "transfer/sheet_words.h"

#define YEAR_MIN 1000
#define YEAR_MAX 9998
#define CENTURY_TURN 70 /* years from 70 to 99 are in the 20th century */

const char *const sheet_order_names[ORDER_COUNT] = {"dmy", "mdy", "ymd"};

/* The days since 1970-01-01, counted in years that begin in March. */
static int64_t days_of(struct sheet_day day)
{
    const int64_t year = day.year - (day.month <= 2);
    const int64_t era = year / 400, of_era = year % 400;
    const int64_t of_year = (153 * (day.month + (day.month > 2 ? -3 : 9)) + 2) / 5 + day.day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t sheet_ms_of(struct sheet_day day)
{
    return days_of(day) * DATETIME_DAY_MS;
}

struct sheet_day sheet_day_at(int64_t ms)
{
    char iso[DATETIME_TEXT_LENGTH];
    datetime_format(ms, iso);
    return (struct sheet_day){sheet_number_of((struct text){iso, 4}),
                              sheet_number_of((struct text){iso + 5, 2}),
                              sheet_number_of((struct text){iso + 8, 2})};
}

static bool exists(struct sheet_day day)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = day.year % 4 == 0 && (day.year % 100 != 0 || day.year % 400 == 0);
    return day.year >= YEAR_MIN && day.year <= YEAR_MAX && day.month >= 1 && day.month <= 12 &&
           day.day >= 1 && day.day <= lengths[day.month - 1] &&
           (day.month != 2 || day.day < 29 || is_leap);
}

/* Returns a year of two digits with its century. */
static int whole_year(int year)
{
    return year > 99 ? year : year < CENTURY_TURN ? 2000 + year : 1900 + year;
}

static bool give(struct sheet_date *out, enum sheet_date_kind kind, int a, int b, int c,
                 struct text rest)
{
    rest = text_trim(rest);
    *out = (struct sheet_date){.kind = kind, .parts = {a, b, c}};
    memcpy(out->rest, rest.bytes, rest.length);
    return true;
}

#define NAME "(" SHEET_LETTER "{3,12}\\.?)"
#define YEAR "([0-9]{4}|[0-9]{2})([T ,] *(.*))?$"

/* Reads a date with the name of a month. */
static bool read_named(struct text text, struct sheet_date *out)
{
    static struct sheet_pattern day_month_year = {
        .expression = "^([0-9]{1,2})\\.?[-/ .] ?(de )?" NAME "[-/ ,.]+(de )?" YEAR};
    static struct sheet_pattern year_month_day = {.expression =
                                                      "^([0-9]{4})[-/ ]" NAME "[-/ ]([0-9]{1,2})$"};
    static struct sheet_pattern month_day_year = {.expression = "^" NAME " ([0-9]{1,2}),? " YEAR};
    static struct sheet_pattern day_month = {.expression = "^([0-9]{1,2})\\.?[- .] ?" NAME "$"};
    static struct sheet_pattern month_day = {.expression = "^" NAME "[- ]([0-9]{1,2})$"};
    struct sheet_match match;
    const struct text *parts = match.parts, none = {"", 0};
    int month = 0, year, day;
    struct text rest = none;
    if (sheet_matches(&day_month_year, text, &match))
        month = sheet_find_month(parts[3]), year = sheet_number_of(parts[6]),
        day = sheet_number_of(parts[1]), rest = parts[8];
    else if (sheet_matches(&year_month_day, text, &match))
        month = sheet_find_month(parts[2]), year = sheet_number_of(parts[1]),
        day = sheet_number_of(parts[4]);
    else if (sheet_matches(&month_day_year, text, &match))
        month = sheet_find_month(parts[1]), year = sheet_number_of(parts[4]),
        day = sheet_number_of(parts[3]), rest = parts[6];
    else {
        if (sheet_matches(&day_month, text, &match))
            month = sheet_find_month(parts[2]), day = sheet_number_of(parts[1]);
        else if (sheet_matches(&month_day, text, &match))
            month = sheet_find_month(parts[1]), day = sheet_number_of(parts[3]);
        if (month == 0)
            return false;
        give(out, DATE_SHORT, day, month, 0, none);
        out->has_name = true;
        return true;
    }
    return month > 0 && give(out, DATE_YMD, whole_year(year), month, day, rest);
}

/* Returns the text without the name of a weekday at its beginning. */
static struct text skip_weekday(struct text text)
{
    static struct sheet_pattern weekday = {.expression = "^(" SHEET_LETTER "{2,12})\\.?,? +[0-9]"};
    struct sheet_match match;
    if (!sheet_matches(&weekday, text, &match) || sheet_find_month(match.parts[1]))
        return text;
    while (text.length > 0 && (text.bytes[0] < '0' || text.bytes[0] > '9'))
        text = text_skip(text, 1);
    return text;
}

/* Reads a date of digits without separators: 20261127, or days as spreadsheets count them. */
static bool read_digits(struct text text, struct sheet_date *out)
{
    static struct sheet_pattern joined = {
        .expression = "^((19|20)[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])$"};
    static struct sheet_pattern serial = {.expression = "^([0-9]{5})([.,]([0-9]+))?$"};
    const struct text none = {"", 0};
    struct sheet_match match;
    if (sheet_matches(&joined, text, &match))
        return give(out, DATE_YMD, sheet_number_of(match.parts[1]), sheet_number_of(match.parts[3]),
                    sheet_number_of(match.parts[4]), none);
    if (!sheet_matches(&serial, text, &match))
        return false;
    char *comma = strchr(match.bytes, ',');
    if (comma)
        *comma = '.';
    const double days = strtod(match.bytes, NULL);
    if (days <= 20000 || days >= 60000)
        return false;
    give(out, DATE_SERIAL, 0, 0, 0, none);
    out->days = days;
    return true;
}

static bool read_numbers(struct text text, struct sheet_date *out)
{
    static struct sheet_pattern year_first = {
        .expression = "^([0-9]{4})([-/.])([0-9]{1,2})([-/.])([0-9]{1,2})\\.?([T ] *(.*))?$"};
    static struct sheet_pattern three = {
        .expression = "^([0-9]{1,2})([-/.]) ?([0-9]{1,2})([-/.]) ?([0-9]{4}|[0-9]{2})"
                      "([T ,] *(.*))?$"};
    static struct sheet_pattern two = {.expression = "^([0-9]{1,2})[-/.]([0-9]{1,2})\\.?$"};
    struct sheet_match match;
    const struct text *parts = match.parts, none = {"", 0};
    if (sheet_matches(&year_first, text, &match) && text_equals(parts[2], parts[4]))
        return give(out, DATE_YMD, sheet_number_of(parts[1]), sheet_number_of(parts[3]),
                    sheet_number_of(parts[5]), parts[7]);
    if (sheet_matches(&three, text, &match) && text_equals(parts[2], parts[4])) {
        give(out, DATE_ABC, sheet_number_of(parts[1]), sheet_number_of(parts[3]),
             sheet_number_of(parts[5]), parts[7]);
        out->has_two_digits = parts[5].length == 2;
        return true;
    }
    return sheet_matches(&two, text, &match) &&
           give(out, DATE_SHORT, sheet_number_of(parts[1]), sheet_number_of(parts[2]), 0, none);
}

bool sheet_read_date(struct text cell, struct sheet_date *out)
{
    *out = (struct sheet_date){0};
    cell = text_trim(cell);
    if (cell.length == 0 || cell.length > SHEET_VALUE_MAX)
        return false;
    if (cell.bytes[0] < '0' || cell.bytes[0] > '9')
        cell = skip_weekday(cell);
    const bool is_number = cell.length > 0 && cell.bytes[0] >= '0' && cell.bytes[0] <= '9';
    if (is_number && (read_numbers(cell, out) || read_digits(cell, out)))
        return true;
    return read_named(cell, out);
}

bool sheet_day_of(const struct sheet_date *date, enum sheet_order order, int year, bool is_1904,
                  struct sheet_day *out)
{
    static const struct sheet_day from_1900 = {1899, 12, 30}, from_1904 = {1904, 1, 1};
    const int *parts = date->parts;
    if (date->kind == DATE_SERIAL) {
        const int64_t from = sheet_ms_of(is_1904 ? from_1904 : from_1900);
        *out = sheet_day_at(from + (int64_t)date->days * DATETIME_DAY_MS);
        return true;
    }
    if (date->kind == DATE_NONE)
        return false;
    if (date->kind == DATE_YMD) {
        *out = (struct sheet_day){parts[0], parts[1], parts[2]};
    } else if (date->kind == DATE_SHORT) {
        const bool is_day_first = date->has_name || order != ORDER_MDY;
        if (year == 0)
            return false;
        *out = (struct sheet_day){year, parts[is_day_first], parts[!is_day_first]};
    } else if (order == ORDER_YMD) {
        if (!date->has_two_digits)
            return false;
        *out = (struct sheet_day){whole_year(parts[0]), parts[1], parts[2]};
    } else {
        const int last = date->has_two_digits ? whole_year(parts[2]) : parts[2];
        *out = (struct sheet_day){last, parts[order != ORDER_MDY], parts[order == ORDER_MDY]};
    }
    return exists(*out);
}

void sheet_time_in_date(const struct sheet_date *date, char out[SHEET_VALUE_MAX + 1])
{
    const double part = date->days - floor(date->days);
    out[0] = '\0';
    if (date->kind == DATE_SERIAL && part > 0)
        format_cut(out, SHEET_VALUE_MAX + 1, "%.6f", part);
    else if (date->kind == DATE_YMD || date->kind == DATE_ABC)
        memcpy(out, date->rest, sizeof date->rest);
}

/* Removes the zone at the end of a time, and writes its name. */
static struct text take_zone(struct text text, char zone[7])
{
    /* A longer name precedes a name that is its end. */
    static const struct {
        const char *name, *zone;
    } zones[] = {{"UTC", "UTC"},    {"GMT", "UTC"},     {"JST", "+09:00"}, {"CEST", "+02:00"},
                 {"CET", "+01:00"}, {"MESZ", "+02:00"}, {"MEZ", "+01:00"}, {"UT", "UTC"},
                 {"Z", "UTC"},      {"U", "UTC"},       {"J", "+09:00"}};
    /* "12:03-12:10" is from one time to another, so a minus begins a zone only after seconds. */
    static struct sheet_pattern east = {.expression = " *([+])([0-9]{2}):?([0-9]{2})$"};
    static struct sheet_pattern west = {
        .expression = ":[0-9]{2}:[0-9]{2}([.,][0-9]+)?(-)([0-9]{2}):?([0-9]{2})$"};
    struct sheet_match match;
    zone[0] = '\0';
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        const size_t length = strlen(zones[i].name);
        if (text.length < length ||
            !text_begins_ignoring_case(text_skip(text, text.length - length), zones[i].name))
            continue;
        format_cut(zone, 7, "%s", zones[i].zone);
        return text_trim((struct text){text.bytes, text.length - length});
    }
    const bool is_east = sheet_matches(&east, text, &match);
    if (!is_east && !sheet_matches(&west, text, &match))
        return text;
    const struct text *parts = is_east ? match.parts : match.parts + 1;
    format_cut(zone, 7, "%c%02d:%02d", is_east ? '+' : '-', sheet_number_of(parts[2]),
               sheet_number_of(parts[3]));
    const char *sign = is_east ? "+" : "-";
    size_t length = text.length;
    while (length > 0 && text.bytes[length - 1] != *sign)
        length--;
    return text_trim((struct text){text.bytes, length > 0 ? length - 1 : 0});
}

/* Reads a time of digits, 1203, or a part of a day as spreadsheets have it, 0.502. */
static bool read_number(struct text text, struct sheet_time *out)
{
    static struct sheet_pattern digits = {.expression = "^[0-9]{1,6}$"};
    static struct sheet_pattern fraction = {.expression = "^0?[.,][0-9]{2,}$|^0[.,]5$"};
    struct sheet_match match;
    if (sheet_matches(&digits, text, &match)) {
        const int number = sheet_number_of(match.parts[0]);
        out->digits = (int)match.parts[0].length;
        const int whole = out->digits > 4 ? number : number * 100;
        out->hours = whole / 10000, out->minutes = whole / 100 % 100, out->seconds = whole % 100;
        return true;
    }
    if (!sheet_matches(&fraction, text, &match))
        return false;
    char *comma = strchr(match.bytes, ',');
    if (comma)
        *comma = '.';
    const int all = (int)(strtod(match.bytes, NULL) * 86400 + 0.5);
    out->hours = all / 3600, out->minutes = all / 60 % 60, out->seconds = all % 60;
    return true;
}

bool sheet_read_time(struct text cell, struct sheet_time *out)
{
    static struct sheet_pattern clock_word = {.expression = " uhr$", .ignores_case = true};
    static struct sheet_pattern half = {.expression = " *([AP])\\.?M\\.?$", .ignores_case = true};
    static struct sheet_pattern clock = {
        .expression = "^([0-9]{1,2})[:.H ]([0-9]{2})([:.M]([0-9]{2})([.,][0-9]+)?S?)?$",
        .ignores_case = true};
    struct sheet_match match;
    char afternoon = 0;
    *out = (struct sheet_time){0};
    cell = text_trim(cell);
    if (cell.length == 0 || cell.length > SHEET_VALUE_MAX)
        return false;
    if (sheet_matches(&clock_word, cell, &match))
        cell = text_trim((struct text){cell.bytes, cell.length - 3});
    cell = take_zone(cell, out->zone);
    if (sheet_matches(&half, cell, &match)) {
        afternoon = match.parts[1].bytes[0];
        while (cell.bytes[cell.length - 1] != afternoon)
            cell.length--;
        cell.length--;
    }
    if (sheet_matches(&clock, cell, &match)) {
        out->hours = sheet_number_of(match.parts[1]);
        out->minutes = sheet_number_of(match.parts[2]);
        out->seconds = sheet_number_of(match.parts[4]);
    } else if (!read_number(cell, out)) {
        return false;
    }
    if (afternoon) {
        if (out->hours < 1 || out->hours > 12)
            return false;
        out->hours = out->hours % 12 + (afternoon == 'P' || afternoon == 'p' ? 12 : 0);
    }
    return out->hours <= 23 && out->minutes <= 59 && out->seconds <= 59;
}
