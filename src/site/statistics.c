/* Counts what is in a log. Which QSOs there are is left to the store, where a station is to
 * qso/place.c, how the numbers are answered to statistics_json.c.
 */
#include "site/statistics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "base/packed.h"
#include "qso/divisions.h"
#include "qso/place.h"

#define HOUR_MS (DATETIME_DAY_MS / STATISTICS_HOURS)
#define MONTHS_FIRST 64
#define MONTHS (10001 * 12) /* their numbers are less */

const int statistics_distances[] = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100};

/* Months since the beginning of the year 0. */
static int month_number(int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm date;
    gmtime_r(&seconds, &date);
    return (date.tm_year + 1900) * 12 + date.tm_mon;
}

static int64_t begin_of_month(int number)
{
    struct tm date = {.tm_year = number / 12 - 1900, .tm_mon = number % 12, .tm_mday = 1};
    return (int64_t)timegm(&date) * 1000;
}

static void add_month(struct statistics *counts, int number)
{
    if (counts->month_count == counts->month_capacity) {
        const struct statistics_month *old = counts->months;
        counts->month_capacity = old ? 2 * counts->month_capacity : MONTHS_FIRST;
        counts->months =
            arena_allocate(counts->arena, counts->month_capacity * sizeof *counts->months);
        if (old)
            memcpy(counts->months, old, counts->month_count * sizeof *old);
    }
    counts->months[counts->month_count++] = (struct statistics_month){
        .first_ms = begin_of_month(number), .end_ms = begin_of_month(number + 1)};
}

/* QSOs of one month mostly come one after the other. */
static struct statistics_month *take_month(struct statistics *counts, int64_t ms)
{
    struct statistics_month *last =
        counts->month_count ? &counts->months[counts->last_month] : NULL;
    if (last && ms >= last->first_ms && ms < last->end_ms)
        return last;
    const int number = month_number(ms);
    int32_t *place = &counts->month_places[number];
    if (*place == 0) {
        add_month(counts, number);
        *place = (int32_t)counts->month_count;
    }
    counts->last_month = (size_t)*place - 1;
    return &counts->months[counts->last_month];
}

static int compare_months(const void *a, const void *b)
{
    const int64_t left = ((const struct statistics_month *)a)->first_ms,
                  right = ((const struct statistics_month *)b)->first_ms;
    return (left > right) - (left < right);
}

static void count_time(struct statistics *counts, int64_t ms, bool confirmed)
{
    struct statistics_month *month = take_month(counts, ms);
    month->qsos++;
    month->confirmed += confirmed;
    counts->hours[(ms - DATETIME_MINIMUM_MS) / HOUR_MS % STATISTICS_HOURS]++;
}

static void count_station(struct statistics *counts, struct text callsign)
{
    struct match_callsign worked;
    match_normalise_callsign(callsign, &worked);
    if (worked.length > 0)
        distinct_add(&counts->stations, (struct text){worked.bytes, worked.length});
    int division = divisions_number(callsign);
    if (division != DIVISIONS_NONE)
        counts->divisions[division]++;
}

/* Of several the newest, of those of one time the one that was saved last: whatever the order in
 * which they come. */
static void keep_farthest(struct statistics *counts, double km, const struct qso *qso)
{
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer, id = qso->values[FIELD_ID].integer;
    if (km < counts->farthest_km)
        return;
    if (km == counts->farthest_km &&
        (at_ms < counts->farthest_at_ms ||
         (at_ms == counts->farthest_at_ms && id < counts->farthest_id)))
        return;
    counts->farthest_km = km;
    counts->farthest_at_ms = at_ms;
    counts->farthest_id = id;
}

static void count_distance(struct statistics *counts, const struct qso *qso)
{
    struct place from, to;
    bool exact;
    if (!place_of_dx(qso, &to, &exact) || !place_of_member(qso, counts->member_locator, &from))
        return;
    double km = place_distance_km(&from, &to);
    size_t i = 0;
    while (i + 1 < STATISTICS_DISTANCES && km >= statistics_distances[i])
        i++;
    counts->by_distance[i]++;
    keep_farthest(counts, km, qso);
}

static void count_place(struct statistics *counts, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    if (place_find_locator(qso, locator) >= PLACE_SQUARE_LENGTH)
        counts->squares[((locator[0] - 'A') * STATISTICS_FIELDS + locator[1] - 'A') * 100 +
                        (locator[2] - '0') * 10 + locator[3] - '0']++;
    count_distance(counts, qso);
}

void statistics_add(struct statistics *counts, const struct qso *qso)
{
    bool confirmed = qso->values[FIELD_CROSS_CONFIRMED_AT].presence == VALUE_PRESENT;
    counts->qsos++;
    counts->confirmed += confirmed;
    count_time(counts, qso->values[FIELD_QSO_AT].integer, confirmed);
    count_station(counts, qso_text(qso, FIELD_CALLSIGN_WORKED));
    count_place(counts, qso);
}

/* -- Begin and end ----------------------------------------------------------------------------- */

void statistics_begin(struct statistics *counts, struct text member_locator, struct arena *arena)
{
    *counts = (struct statistics){
        .arena = arena,
        .member_locator = member_locator,
        .farthest_km = -1,
        .squares = arena_allocate_zeroed(arena, STATISTICS_SQUARES * sizeof *counts->squares),
        .divisions = arena_allocate_zeroed(arena, DIVISIONS_END * sizeof *counts->divisions),
        .month_places = arena_allocate_zeroed(arena, MONTHS * sizeof *counts->month_places)};
    distinct_begin(&counts->stations, arena);
}

void statistics_end(struct statistics *counts)
{
    if (counts->month_count > 0)
        qsort(counts->months, counts->month_count, sizeof *counts->months, compare_months);
}

/* -- Kept -------------------------------------------------------------------------------------- */

/* Few of the squares have any. */
struct square {
    int64_t number, qsos;
};

static void save_squares(const struct statistics *counts, struct buffer *out)
{
    size_t count = 0;
    for (int i = 0; i < STATISTICS_SQUARES; i++)
        count += counts->squares[i] > 0;
    buffer_append(out, &count, sizeof count);
    for (int i = 0; i < STATISTICS_SQUARES; i++)
        if (counts->squares[i] > 0) {
            const struct square square = {i, counts->squares[i]};
            buffer_append(out, &square, sizeof square);
        }
}

static bool load_squares(struct statistics *counts, struct text *rest)
{
    size_t count;
    struct square square;
    if (!packed_take(rest, &count, sizeof count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!packed_take(rest, &square, sizeof square) || square.number < 0 ||
            square.number >= STATISTICS_SQUARES)
            return false;
        counts->squares[square.number] = square.qsos;
    }
    return true;
}

void statistics_save(const struct statistics *counts, struct buffer *out)
{
    const size_t size = sizeof *counts;
    struct statistics saved = *counts;
    saved.arena = NULL;
    saved.member_locator = (struct text){0};
    saved.stations = (struct distinct){0};
    saved.months = NULL;
    saved.month_places = NULL;
    saved.squares = saved.divisions = NULL;
    buffer_append(out, &size, sizeof size);
    buffer_append(out, &saved, sizeof saved);
    buffer_append(out, counts->months, counts->month_count * sizeof *counts->months);
    buffer_append(out, counts->divisions, DIVISIONS_END * sizeof *counts->divisions);
    save_squares(counts, out);
    distinct_save(&counts->stations, out);
}

bool statistics_load(struct statistics *counts, struct text member_locator, struct text *rest,
                     struct arena *arena)
{
    size_t size;
    struct statistics saved;
    statistics_begin(counts, member_locator, arena);
    const struct statistics empty = *counts;
    if (!packed_take(rest, &size, sizeof size) || size != sizeof saved ||
        !packed_take(rest, &saved, sizeof saved) || saved.month_count > MONTHS)
        return false;
    *counts = saved;
    counts->arena = arena;
    counts->member_locator = member_locator;
    counts->squares = empty.squares;
    counts->divisions = empty.divisions;
    counts->month_places = empty.month_places;
    counts->months = NULL;
    counts->last_month = 0;
    counts->month_capacity = counts->month_count;
    if (counts->month_count > 0 &&
        !packed_take_array(rest, arena, counts->month_count, counts->month_count,
                           sizeof *counts->months, &counts->months))
        return false;
    for (size_t i = 0; i < counts->month_count; i++) {
        const int number = month_number(counts->months[i].first_ms);
        if (number < 0 || number >= MONTHS)
            return false;
        counts->month_places[number] = (int32_t)i + 1;
    }
    return packed_take(rest, counts->divisions, DIVISIONS_END * sizeof *counts->divisions) &&
           load_squares(counts, rest) && distinct_load(&counts->stations, rest, arena);
}
