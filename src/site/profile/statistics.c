/* GET /profile/data/statistics: statistics about the log or its filtered part: QSOs by month and
 * hour, stations, squares, divisions and distances. One walk over the log counts everything;
 * src/web/pages/log/log-statistics.js draws the results. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/datetime.h"
#include "base/keyed_hash.h"
#include "base/number_set.h"
#include "base/table.h"
#include "base/text.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/place.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/log/makers.h"
#include "store/log/qsos.h"
#include "store/people/keys.h"

#define HOURS 24
#define HOUR_MS (DATETIME_DAY_MS / HOURS)
#define FIELDS 18 /* number of letters, A to R, in a locator's first two places */
#define SQUARES_SHOWN 10
#define MONTHS (10001 * 12) /* number of months; month numbers begin at 0 */

/* Upper bounds, exclusive, of the groups of distances, in km. */
static const int distances[] = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100};
#define DISTANCES (sizeof distances / sizeof *distances)

struct month {
    int32_t qsos, confirmed;
};

/* The path between the two stations. */
struct contact_path {
    bool is_known;
    int square; /* -1: unknown */
    double km;  /* negative: unknown */
};

struct counts {
    struct arena *arena;
    struct text member_locator;
    /* Stations worked, by their hashes. In a log of a million stations, two stations have the same
     * hash with a probability of one in 36 million. */
    struct number_set *stations;
    struct keyed_hash hash;
    int64_t station_count;
    struct table paths; /* struct contact_path, by the two locators as written */
    int64_t qsos, confirmed;
    struct month *months; /* indexed by month number */
    int64_t hours[HOURS];
    int64_t *squares;   /* indexed by square number */
    int64_t *divisions; /* indexed by division number */
    int64_t by_distance[DISTANCES];
    struct table made;   /* for a station's log: pointers to the operators' counts, by QSO id */
    struct table makers; /* numbers of QSOs, by operator callsign */
    struct farthest {
        double km; /* negative: unknown */
        int64_t at_ms, id;
    } farthest; /* the newest QSO if several have the same distance */
};

static void add_made(void *context, int64_t qso_id, struct text callsign)
{
    struct counts *counts = context;
    int64_t **maker = table_at(&counts->made, (struct text){(const char *)&qso_id, sizeof qso_id});
    *maker = table_at(&counts->makers, callsign);
}

static void count_station(struct counts *counts, struct text callsign)
{
    struct match_callsign worked;
    match_normalise_callsign(callsign, &worked);
    if (worked.length > 0)
        counts->station_count += number_set_add(
            counts->stations, keyed_hash_of(&counts->hash, worked.bytes, worked.length));
    int division = divisions_number(callsign);
    if (division != DIVISIONS_NONE)
        counts->divisions[division]++;
}

static void measure_path(const struct counts *counts, const struct qso *qso,
                         struct contact_path *path)
{
    struct place from, to;
    bool exact;
    const bool has_both =
        place_of_dx(qso, &to, &exact) && place_of_member(qso, counts->member_locator, &from);
    *path = (struct contact_path){true, place_find_square(qso),
                                  has_both ? place_distance_km(&from, &to) : -1};
}

/* Returns the path of a QSO. A path between two locators is measured once. */
static const struct contact_path *find_path(struct counts *counts, const struct qso *qso,
                                            struct contact_path *measured)
{
    const struct text to = qso_text(qso, FIELD_DX_LOCATOR), from = qso_text(qso, FIELD_MY_LOCATOR);
    char key[2 * LOCATOR_LENGTH_MAX] = {0};
    if (qso->values[FIELD_DX_LAT].state == VALUE_PRESENT || to.length > LOCATOR_LENGTH_MAX ||
        from.length > LOCATOR_LENGTH_MAX) {
        measure_path(counts, qso, measured);
        return measured;
    }
    if (to.length > 0)
        memcpy(key, to.bytes, to.length);
    if (from.length > 0)
        memcpy(key + LOCATOR_LENGTH_MAX, from.bytes, from.length);
    struct contact_path *path = table_at(&counts->paths, (struct text){key, sizeof key});
    if (!path->is_known)
        measure_path(counts, qso, path);
    return path;
}

static void count_path(struct counts *counts, const struct qso *qso)
{
    struct contact_path measured;
    const struct contact_path *path = find_path(counts, qso, &measured);
    if (path->square >= 0)
        counts->squares[path->square]++;
    if (path->km < 0)
        return;
    size_t i = 0;
    while (i + 1 < DISTANCES && path->km >= distances[i])
        i++;
    counts->by_distance[i]++;
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    if (path->km > counts->farthest.km ||
        (path->km == counts->farthest.km && at_ms > counts->farthest.at_ms))
        counts->farthest = (struct farthest){path->km, at_ms, qso->values[FIELD_ID].integer};
}

static void count_maker(struct counts *counts, int64_t qso_id)
{
    int64_t **maker =
        table_find(&counts->made, (struct text){(const char *)&qso_id, sizeof qso_id});
    if (maker)
        ++**maker;
}

static void count_qso(void *context, const struct qso *qso)
{
    struct counts *counts = context;
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    const bool confirmed = qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT;
    struct month *month = &counts->months[datetime_count_months(at_ms)];
    counts->qsos++;
    counts->confirmed += confirmed;
    month->qsos++;
    month->confirmed += confirmed;
    counts->hours[(at_ms - DATETIME_MINIMUM_MS) / HOUR_MS % HOURS]++;
    count_station(counts, qso_text(qso, FIELD_CALLSIGN_WORKED));
    count_path(counts, qso);
    if (counts->made.count > 0)
        count_maker(counts, qso->values[FIELD_ID].integer);
}

static void write_months(struct buffer *body, const struct counts *counts)
{
    buffer_append_string(body, "\"months\":[");
    for (int i = 0; i < MONTHS; i++) {
        const struct month *month = &counts->months[i];
        if (month->qsos == 0)
            continue;
        const char *name = arena_print(counts->arena, "%04d-%02d", i / 12, i % 12 + 1);
        json_write_item(body, json_text("month", text_of(name)), json_integer("qsos", month->qsos),
                        json_integer("confirmed", month->confirmed));
    }
    buffer_append(body, "]", 1);
}

static void write_hours(struct buffer *body, const struct counts *counts)
{
    json_begin_array(body, "hours");
    for (int i = 0; i < HOURS; i++) {
        json_write_element(body);
        buffer_append_integer(body, counts->hours[i]);
    }
    buffer_append(body, "]", 1);
}

static void write_distances(struct buffer *body, const struct counts *counts)
{
    json_begin_array(body, "distances");
    for (size_t i = 0; i < DISTANCES; i++) {
        json_write_item(body, json_integer("belowKm", distances[i]),
                        json_integer("qsos", counts->by_distance[i]));
    }
    buffer_append(body, "]", 1);
}

/* Returns the number with the highest count and sets that count to 0; `count` is the number of
 * counters. */
static int take_highest(int64_t *counts, int count, int64_t *highest)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (counts[i] > counts[best])
            best = i;
    *highest = counts[best];
    counts[best] = 0;
    return best;
}

static void write_squares(struct buffer *body, const struct counts *counts)
{
    int64_t known = 0, qsos;
    for (int i = 0; i < PLACE_SQUARES; i++)
        known += counts->squares[i] > 0;
    json_write_integer(body, "squareCount", known);
    json_begin_array(body, "squares");
    for (int i = 0; i < SQUARES_SHOWN && i < known; i++) {
        int best = take_highest(counts->squares, PLACE_SQUARES, &qsos);
        const char name[PLACE_SQUARE_LENGTH] = {
            (char)('A' + best / 100 / FIELDS), (char)('A' + best / 100 % FIELDS),
            (char)('0' + best / 10 % 10), (char)('0' + best % 10)};
        json_write_item(body, json_text("square", (struct text){name, sizeof name}),
                        json_integer("qsos", qsos));
    }
    buffer_append(body, "]", 1);
}

/* Writes all divisions worked, beginning with the highest number of QSOs. */
static void write_divisions(struct buffer *body, const struct counts *counts)
{
    int64_t qsos;
    int number;
    json_begin_array(body, "divisions");
    while (number = take_highest(counts->divisions, DIVISIONS_END, &qsos), qsos > 0) {
        const struct division *division = divisions_at(number);
        json_write_item(body, json_integer("number", number),
                        json_text("name", text_of(division->name)),
                        json_text("iso", text_of(*division->iso ? division->iso : NULL)),
                        json_integer("qsos", qsos));
    }
    buffer_append(body, "]", 1);
}

/* Writes the QSOs of each operator, if the log belongs to a station. */
static void write_makers(struct buffer *body, const struct counts *counts)
{
    if (counts->makers.count == 0)
        return;
    json_begin_array(body, "operators");
    for (const struct table_entry *maker = counts->makers.first; maker; maker = maker->next)
        if (*(const int64_t *)maker->value > 0)
            json_write_item(body, json_text("callsign", maker->key),
                            json_integer("qsos", *(const int64_t *)maker->value));
    buffer_append(body, "]", 1);
}

/* Writes the farthest station; null if no distance is known. */
static void write_farthest(struct exchange *exchange, const struct farthest *farthest)
{
    struct qso qso;
    char locator[LOCATOR_LENGTH_MAX];
    if (farthest->km < 0 || store_find_own_qso(exchange->store, exchange->member.id, farthest->id,
                                               exchange->arena, &qso) != STORE_DONE)
        json_write_null(exchange->body, "farthest");
    else
        json_write_object(
            exchange->body, "farthest", json_integer("km", llround(farthest->km)),
            json_text("callsign", qso_text(&qso, FIELD_CALLSIGN_WORKED)),
            json_text("locator", (struct text){locator, place_find_locator(&qso, locator)}),
            json_time("qsoAt", farthest->at_ms));
}

/* Returns the tag of the log and of the day of the last sync, because a sync that changes nothing
 * can still change this day. */
static const char *tag_statistics(struct exchange *exchange)
{
    int64_t day;
    if (store_find_last_use(exchange->store, exchange->member.id, &day) != STORE_DONE)
        return NULL;
    return profile_log_tag_for(exchange, day);
}

static const struct error *answer(struct exchange *exchange)
{
    struct arena *arena = exchange->arena;
    struct buffer *body = exchange->body;
    int64_t last_sync_day;
    struct counts counts = {
        .arena = arena, .member_locator = exchange->member.locator, .farthest.km = -1};
    counts.squares = arena_allocate_zeroed(arena, PLACE_SQUARES * sizeof *counts.squares);
    counts.divisions = arena_allocate_zeroed(arena, DIVISIONS_END * sizeof *counts.divisions);
    counts.months = arena_allocate_zeroed(arena, MONTHS * sizeof *counts.months);
    counts.hash = keyed_hash_begin();
    counts.stations = number_set_create(arena);
    table_begin(&counts.paths, arena, sizeof(struct contact_path));
    table_begin(&counts.made, arena, sizeof(int64_t *));
    table_begin(&counts.makers, arena, sizeof(int64_t));
    if (exchange->member.is_station)
        TRY(profile_store_error(
            store_list_makers(exchange->store, exchange->member.id, add_made, &counts)));
    TRY(log_query_visit(exchange, count_qso, &counts));
    TRY(profile_store_error(
        store_find_last_use(exchange->store, exchange->member.id, &last_sync_day)));
    write_months(body, &counts);
    json_write_fields(
        body, json_integer("qsos", counts.qsos), json_integer("confirmed", counts.confirmed),
        json_integer("stations", counts.station_count), json_day("lastSyncOn", last_sync_day));
    write_hours(body, &counts);
    write_distances(body, &counts);
    write_squares(body, &counts);
    write_divisions(body, &counts);
    write_makers(body, &counts);
    write_farthest(exchange, &counts.farthest);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_statistics, "statistics", tag_statistics, answer);
