/* GET /profile/data/statistics: statistics about the log or its filtered part: QSOs by month and
 * hour, stations, squares, divisions, distances, bands and modes. One walk over the log counts
 * everything; statistics_year.c counts the last year. src/web/shared/logbook/log-figures.js draws
 * the results. */
#include <math.h>
#include <stdlib.h>
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
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/log_firsts.h"
#include "qso/match.h"
#include "qso/place.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/profile/statistics_year.h"
#include "store/log/candidates.h"
#include "store/log/makers.h"
#include "store/log/qsos.h"
#include "store/people/keys.h"

#define HOURS 24
#define HOUR_MS (DATETIME_DAY_MS / HOURS)
#define SQUARES_SHOWN 10
#define RECENT_MS (30 * DATETIME_DAY_MS) /* a division is new for this time */
#define RECENT_MAX 12                    /* maximum number of new divisions per answer */
#define MONTHS (10001 * 12)              /* number of months; month numbers begin at 0 */

/* Upper bounds, exclusive, of the groups of distances, in km. */
static const int distances[] = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100};
#define DISTANCES (sizeof distances / sizeof *distances)

/* The counts for a group of QSOs. */
struct tally {
    int32_t qsos, confirmed;
};

#define CHOICES_MAX 16 /* greater than the number of any band or mode */

/* The path between the two stations. */
struct contact_path {
    uint64_t to, from; /* the two locators (number_of) */
    bool is_known;
    int square; /* -1: unknown */
    double km;  /* negative: unknown */
};

#define PATHS_BITS 11 /* log2 of the number of paths that are kept; most occur in several QSOs */

struct counts {
    struct arena *arena;
    struct text member_locator;
    /* Stations worked, by their hashes. In a log of a million stations, two stations have the same
     * hash with a probability of one in 36 million. */
    struct number_set *stations;
    struct keyed_hash hash;
    int64_t station_count;
    struct contact_path *paths; /* paths between locators, by a hash */
    int64_t qsos, confirmed;
    struct tally *months; /* indexed by month number */
    struct tally hours[HOURS];
    int64_t bands[CHOICES_MAX], modes[CHOICES_MAX];
    int64_t *squares;   /* indexed by square number */
    int64_t *divisions; /* indexed by division number */
    struct tally by_distance[DISTANCES];
    struct statistics_year year;
    bool is_whole; /* whether the filter selects all QSOs; otherwise, the QSOs that were new are not
                      listed */
    struct log_firsts firsts;
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

static void count_station(struct counts *counts, struct text callsign,
                          struct statistics_year_qso *found)
{
    struct match_callsign worked;
    match_normalise_callsign(callsign, &worked);
    if (worked.length > 0) {
        found->station = keyed_hash_of(&counts->hash, worked.bytes, worked.length);
        counts->station_count += number_set_add(counts->stations, found->station);
    }
    found->division = divisions_number(callsign);
    if (found->division != DIVISIONS_NONE)
        counts->divisions[found->division]++;
}

static void add_to(struct tally *tally, bool confirmed)
{
    tally->qsos++;
    tally->confirmed += confirmed;
}

static void measure_path(const struct counts *counts, const struct qso *qso,
                         struct contact_path *path)
{
    struct place from, to;
    bool exact;
    const bool has_both =
        place_of_dx(qso, &to, &exact) && place_of_member(qso, counts->member_locator, &from);
    path->is_known = true;
    path->square = place_find_square(qso);
    path->km = has_both ? place_distance_km(&from, &to) : -1;
}

/* Returns the bytes of a locator as a number; no locator is 0. */
static uint64_t number_of(struct text locator)
{
    uint64_t number = 0;
    for (size_t i = 0; i < locator.length; i++)
        number = number << 8 | (unsigned char)locator.bytes[i];
    return number;
}

static struct contact_path *find_kept_path(const struct counts *counts, uint64_t to, uint64_t from)
{
    const uint64_t hash = (to ^ from << 13) * UINT64_C(0x9e3779b97f4a7c15);
    struct contact_path *path = &counts->paths[hash >> (64 - PATHS_BITS)];
    if (path->to != to || path->from != from)
        *path = (struct contact_path){.to = to, .from = from};
    return path;
}

/* Returns the path of a QSO. Takes a recently measured path between the same locators from
 * counts->paths. */
static const struct contact_path *find_path(struct counts *counts, const struct qso *qso,
                                            struct contact_path *measured)
{
    const struct text to = qso_text(qso, FIELD_DX_LOCATOR), from = qso_text(qso, FIELD_MY_LOCATOR);
    struct contact_path *path = measured;
    if (qso->values[FIELD_DX_LAT].state == VALUE_PRESENT || to.length > LOCATOR_LENGTH_MAX ||
        from.length > LOCATOR_LENGTH_MAX)
        measured->is_known = false;
    else
        path = find_kept_path(counts, number_of(to), number_of(from));
    if (!path->is_known)
        measure_path(counts, qso, path);
    return path;
}

static void count_path(struct counts *counts, const struct qso *qso, bool confirmed,
                       struct statistics_year_qso *found)
{
    struct contact_path measured;
    const struct contact_path *path = find_path(counts, qso, &measured);
    found->square = path->square;
    found->km = path->km;
    if (path->square >= 0)
        counts->squares[path->square]++;
    if (path->km < 0)
        return;
    size_t i = 0;
    while (i + 1 < DISTANCES && path->km >= distances[i])
        i++;
    add_to(&counts->by_distance[i], confirmed);
    if (path->km > counts->farthest.km ||
        (path->km == counts->farthest.km && found->at_ms > counts->farthest.at_ms))
        counts->farthest = (struct farthest){path->km, found->at_ms, qso->values[FIELD_ID].integer};
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
    struct statistics_year_qso found = {.at_ms = at_ms, .month = datetime_count_months(at_ms)};
    counts->qsos++;
    counts->confirmed += confirmed;
    add_to(&counts->months[found.month], confirmed);
    add_to(&counts->hours[(at_ms - DATETIME_MINIMUM_MS) / HOUR_MS % HOURS], confirmed);
    counts->bands[qso->values[FIELD_BAND].integer]++;
    if (qso->values[FIELD_MODE].state == VALUE_PRESENT)
        counts->modes[qso->values[FIELD_MODE].integer]++;
    count_station(counts, qso_text(qso, FIELD_CALLSIGN_WORKED), &found);
    count_path(counts, qso, confirmed, &found);
    statistics_year_count(&counts->year, &found);
    if (counts->is_whole)
        log_firsts_add(&counts->firsts, qso, found.division, found.square);
    if (counts->made.count > 0)
        count_maker(counts, qso->values[FIELD_ID].integer);
}

static void write_months(struct buffer *body, const struct counts *counts)
{
    buffer_append_string(body, "\"months\":[");
    for (int i = 0; i < MONTHS; i++) {
        const struct tally *month = &counts->months[i];
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
    for (int confirmed = 0; confirmed <= 1; confirmed++) {
        json_begin_array(body, confirmed ? "confirmedHours" : "hours");
        for (int i = 0; i < HOURS; i++) {
            const struct tally *hour = &counts->hours[i];
            json_write_element(body);
            buffer_append_integer(body, confirmed ? hour->confirmed : hour->qsos);
        }
        buffer_append(body, "]", 1);
    }
}

/* Writes the number of QSOs of each band or mode that has any. */
static void write_choices(struct buffer *body, const char *list, int field, const int64_t *counts)
{
    json_begin_array(body, list);
    for (int i = 0; i < CHOICES_MAX; i++)
        if (counts[i] > 0)
            json_write_item(body, json_text("name", text_of(fields[field].choices[i])),
                            json_integer("qsos", counts[i]));
    buffer_append(body, "]", 1);
}

static void write_distances(struct buffer *body, const struct counts *counts)
{
    json_begin_array(body, "distances");
    for (size_t i = 0; i < DISTANCES; i++) {
        json_write_item(body, json_integer("belowKm", distances[i]),
                        json_integer("qsos", counts->by_distance[i].qsos),
                        json_integer("confirmed", counts->by_distance[i].confirmed));
    }
    buffer_append(body, "]", 1);
}

/* A square or a division, by its number. */
struct counted {
    int number;
    int64_t qsos;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *left = a, *right = b;
    if (left->qsos != right->qsos)
        return left->qsos > right->qsos ? -1 : 1;
    return left->number - right->number;
}

/* Lists the numbers that have QSOs, beginning with the highest number of QSOs. */
static struct counted *list_counted(struct arena *arena, const int64_t *qsos, int end, int *count)
{
    struct counted *list = arena_allocate(arena, (size_t)end * sizeof *list);
    *count = 0;
    for (int i = 0; i < end; i++)
        if (qsos[i] > 0)
            list[(*count)++] = (struct counted){i, qsos[i]};
    qsort(list, (size_t)*count, sizeof *list, compare_counted);
    return list;
}

static void write_squares(struct buffer *body, const struct counts *counts)
{
    int count;
    const struct counted *list =
        list_counted(counts->arena, counts->squares, PLACE_SQUARES, &count);
    json_write_integer(body, "squareCount", count);
    json_begin_array(body, "squares");
    for (int i = 0; i < SQUARES_SHOWN && i < count; i++) {
        char name[PLACE_SQUARE_LENGTH];
        place_name_square(list[i].number, name);
        json_write_item(body, json_text("square", (struct text){name, sizeof name}),
                        json_integer("qsos", list[i].qsos));
    }
    buffer_append(body, "]", 1);
}

/* Writes all divisions worked, beginning with the highest number of QSOs. */
static void write_divisions(struct buffer *body, const struct counts *counts)
{
    int count;
    const struct counted *list =
        list_counted(counts->arena, counts->divisions, DIVISIONS_END, &count);
    json_begin_array(body, "divisions");
    for (int i = 0; i < count; i++) {
        const struct division *division = divisions_at(list[i].number);
        json_write_item(body, json_integer("number", list[i].number),
                        json_text("name", text_of(division->name)),
                        json_text("iso", text_of(*division->iso ? division->iso : NULL)),
                        json_integer("qsos", list[i].qsos));
    }
    buffer_append(body, "]", 1);
}

/* Writes the ids of the QSOs that were new to the log, by kind. */
static void write_firsts(struct buffer *body, const struct log_listed_first *list, size_t count)
{
    static const char *const names[LOG_FIRST_KINDS] = {[LOG_FIRST_MODE] = "mode",
                                                       [LOG_FIRST_BAND] = "band",
                                                       [LOG_FIRST_SPECIAL] = "special",
                                                       [LOG_FIRST_SQUARE] = "square",
                                                       [LOG_FIRST_DIVISION] = "division"};
    json_begin_object(body, "news");
    for (int kind = 0; kind < LOG_FIRST_KINDS; kind++) {
        json_begin_array(body, names[kind]);
        for (size_t i = 0; i < count; i++)
            if ((int)list[i].kind == kind) {
                json_write_element(body);
                buffer_append_integer(body, list[i].id);
            }
        buffer_append(body, "]", 1);
    }
    buffer_append(body, "}", 1);
}

/* Sorts QSOs with a new division to the front, the latest QSO first. */
static int compare_divisions(const void *a, const void *b)
{
    const struct log_listed_first *left = a, *right = b;
    if (left->kind != right->kind)
        return (int)right->kind - (int)left->kind;
    return (left->qso_at_ms < right->qso_at_ms) - (left->qso_at_ms > right->qso_at_ms);
}

/* Writes the places of the latest new divisions, which the map marks. Changes the list's order. */
static void write_new_places(struct exchange *exchange, struct log_listed_first *list, size_t count,
                             int64_t last_ms)
{
    struct buffer *body = exchange->body;
    qsort(list, count, sizeof *list, compare_divisions);
    json_begin_array(body, "newPlaces");
    for (size_t i = 0; i < count && i < RECENT_MAX; i++) {
        struct qso qso;
        struct place place;
        bool exact;
        if (list[i].kind != LOG_FIRST_DIVISION || list[i].qso_at_ms <= last_ms - RECENT_MS)
            break;
        if (store_find_own_qso(exchange->store, exchange->member.id, list[i].id, exchange->arena,
                               &qso) != STORE_DONE ||
            !place_of_dx(&qso, &place, &exact))
            continue;
        json_begin_item(body);
        json_write_degrees(body, "lat", place.lat);
        json_write_degrees(body, "lng", place.lng);
        json_write_fields(body, json_text("callsign", qso_text(&qso, FIELD_CALLSIGN_WORKED)));
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

/* Writes the QSOs that were new to the log. */
static void write_news(struct exchange *exchange, const struct counts *counts, int64_t last_ms)
{
    struct log_listed_first *list;
    const size_t count = log_firsts_list(&counts->firsts, &list);
    write_firsts(exchange->body, list, count);
    write_new_places(exchange, list, count, last_ms);
}

/* Writes the number of QSOs of each operator, if the log belongs to a station. */
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

/* Returns a tag that depends on the log and on the day of the last sync. A sync that changes
 * nothing can still change this day. */
static const char *tag_statistics(struct exchange *exchange)
{
    int64_t day;
    if (store_find_last_use(exchange->store, exchange->member.id, &day) != STORE_DONE)
        return NULL;
    return profile_log_tag_for(exchange, day);
}

/* Finds the end of the last year: the end of the newest QSO's slot, or the end of the filter's days
 * if that is earlier. Also finds whether the filter selects all QSOs. */
static const struct error *find_end(struct exchange *exchange, int64_t *last_ms, bool *is_whole)
{
    struct log_filter filter;
    int64_t slot;
    TRY(log_query_read_filter(exchange, &filter));
    enum store_result result =
        store_find_slot_below(exchange->store, exchange->member.id, INT64_MAX, 0, &slot);
    *is_whole = log_filter_wants_all(&filter);
    *last_ms = filter.to_ms;
    if (result == STORE_DONE && (slot + 1) * MATCH_SLOT_MS <= filter.to_ms)
        *last_ms = (slot + 1) * MATCH_SLOT_MS - 1;
    return result == STORE_NONE ? NULL : profile_store_error(result);
}

static const struct error *answer(struct exchange *exchange)
{
    struct arena *arena = exchange->arena;
    struct buffer *body = exchange->body;
    int64_t last_sync_day, last_ms;
    struct counts counts = {
        .arena = arena, .member_locator = exchange->member.locator, .farthest.km = -1};
    counts.squares = arena_allocate_zeroed(arena, PLACE_SQUARES * sizeof *counts.squares);
    counts.divisions = arena_allocate_zeroed(arena, DIVISIONS_END * sizeof *counts.divisions);
    counts.months = arena_allocate_zeroed(arena, MONTHS * sizeof *counts.months);
    counts.hash = keyed_hash_begin();
    counts.stations = number_set_create_for_hashes(arena);
    counts.paths = arena_allocate_zeroed(arena, sizeof *counts.paths << PATHS_BITS);
    table_begin(&counts.made, arena, sizeof(int64_t *));
    table_begin(&counts.makers, arena, sizeof(int64_t));
    TRY(find_end(exchange, &last_ms, &counts.is_whole));
    if (counts.is_whole)
        log_firsts_begin(&counts.firsts, arena);
    statistics_year_begin(&counts.year, arena, last_ms);
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
    write_choices(body, "bands", FIELD_BAND, counts.bands);
    write_choices(body, "modes", FIELD_MODE, counts.modes);
    statistics_year_write(&counts.year, arena, body);
    write_squares(body, &counts);
    write_divisions(body, &counts);
    if (counts.is_whole)
        write_news(exchange, &counts, last_ms);
    write_makers(body, &counts);
    write_farthest(exchange, &counts.farthest);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_statistics, "statistics", tag_statistics, answer);
