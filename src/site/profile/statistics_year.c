/* Counts the last year of a log by month and by day. The log is walked in any order, so each
 * division and each square keeps the month of its first QSO. */
#include "site/profile/statistics_year.h"

#include <math.h>

#include "base/datetime.h"
#include "base/text.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/divisions.h"
#include "qso/place.h"

#define MONTHS STATISTICS_YEAR_MONTHS
#define DAYS STATISTICS_YEAR_DAYS

void statistics_year_begin(struct statistics_year *year, struct arena *arena, int64_t last_ms)
{
    const int64_t last_day = last_ms / DATETIME_DAY_MS;
    *year = (struct statistics_year){.first_month = datetime_count_months(last_ms) - MONTHS + 1,
                                     .first_day = last_day >= DAYS ? last_day - DAYS + 1 : 0};
    for (int i = 0; i < MONTHS; i++)
        year->months[i].stations = number_set_create_for_hashes(arena);
    year->divisions = arena_allocate_zeroed(arena, DIVISIONS_END * sizeof *year->divisions);
    year->squares = arena_allocate_zeroed(arena, PLACE_SQUARES * sizeof *year->squares);
    for (int i = 0; i <= MONTHS; i++)
        year->km[i] = -1;
}

static void keep_first(int *first, int month)
{
    if (*first == 0 || month + 1 < *first)
        *first = month + 1;
}

void statistics_year_count(struct statistics_year *year, const struct statistics_year_qso *qso)
{
    const int64_t day = qso->at_ms / DATETIME_DAY_MS - year->first_day;
    const int month = qso->month - year->first_month;
    if (qso->at_ms >= 0 && day >= 0 && day < DAYS)
        year->days[day]++;
    if (qso->division != DIVISIONS_NONE)
        keep_first(&year->divisions[qso->division], qso->month);
    if (qso->square >= 0)
        keep_first(&year->squares[qso->square], qso->month);
    if (month >= MONTHS)
        return;
    double *km = &year->km[month < 0 ? 0 : month + 1];
    *km = fmax(*km, qso->km);
    if (month >= 0 && qso->station)
        year->months[month].station_count +=
            number_set_add(year->months[month].stations, qso->station);
}

/* Counts the divisions or squares that have their first QSO before the end of each month. `first`
 * is indexed by their numbers. */
static void count_until(const struct statistics_year *year, const int *first, int count,
                        int64_t known[MONTHS])
{
    for (int i = 0; i < MONTHS; i++)
        known[i] = 0;
    for (int i = 0; i < count; i++) {
        const int month = first[i] - 1 - year->first_month;
        if (first[i] > 0 && month < MONTHS)
            known[month < 0 ? 0 : month]++;
    }
    for (int i = 1; i < MONTHS; i++)
        known[i] += known[i - 1];
}

void statistics_year_write(const struct statistics_year *year, struct arena *arena,
                           struct buffer *body)
{
    double km = year->km[0];
    int64_t divisions[MONTHS], squares[MONTHS];
    count_until(year, year->divisions, DIVISIONS_END, divisions);
    count_until(year, year->squares, PLACE_SQUARES, squares);
    json_begin_array(body, "recentMonths");
    for (int i = 0; i < MONTHS; i++) {
        const int month = year->first_month + i;
        km = fmax(km, year->km[i + 1]);
        json_write_item(
            body,
            json_text("month",
                      text_of(arena_print(arena, "%04d-%02d", month / 12, month % 12 + 1))),
            json_integer("stations", year->months[i].station_count),
            json_integer("divisions", divisions[i]), json_integer("squares", squares[i]),
            json_integer("km", km < 0 ? 0 : llround(km)));
    }
    buffer_append_string(body, "],\"recentDays\":{");
    json_write_fields(body, json_day("from", year->first_day));
    json_begin_array(body, "qsos");
    for (int i = 0; i < DAYS; i++) {
        json_write_element(body);
        buffer_append_integer(body, year->days[i]);
    }
    buffer_append_string(body, "]}");
}
