/* GET /profile/data/map: the positions of stations worked, one point per position and callsign, for
 * the QSOs that match the filter. The answer uses only the newest QSOS_MAX of these QSOs, and has
 * at most POINTS_MAX points. The page contains the land and the projection
 * (src/web/shared/map/map.js). */
#include <string.h>

#include "base/table.h"
#include "json/append.h"
#include "json/write.h"
#include "qso/locator.h"
#include "qso/log_filter.h"
#include "qso/place.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/log/candidates.h"
#include "store/log/log.h"

#define QSOS_MAX 10000
#define POINTS_MAX 5000 /* maximum number of points per answer */

/* A point in the table, whose key is the position and the callsign, compared byte by byte. */
struct point {
    int64_t count;
    int64_t last; /* highest number of the point's QSOs */
    bool exact, confirmed;
};

struct map {
    struct arena *arena;
    struct log_filter filter;
    struct table points;
    int64_t qsos;
    int64_t number; /* number of the current QSO; points with the lowest numbers are left out */
    bool more;      /* whether the log has QSOs that the map leaves out */
};

static void add_qso(struct map *map, const struct qso *qso)
{
    struct text callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    struct place place;
    bool exact;
    map->qsos++;
    if (!place_of_dx(qso, &place, &exact))
        return;
    char *key = arena_allocate(map->arena, sizeof place + callsign.length);
    memcpy(key, &place, sizeof place);
    if (callsign.length > 0)
        memcpy(key + sizeof place, callsign.bytes, callsign.length);
    struct point *point =
        table_at(&map->points, (struct text){key, sizeof place + callsign.length});
    point->exact = exact;
    point->count++;
    if (map->number > point->last)
        point->last = map->number;
    point->confirmed |= qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT;
}

/* Adds one of the newest QSOs, which the store visits in the order in which they are stored. */
static void add_newer(void *context, const struct qso *qso)
{
    struct map *map = context;
    map->number++;
    add_qso(map, qso);
}

/* Adds a QSO if the filter selects it. The store visits the newest slots first. */
static bool add_wanted(void *context, const struct qso *qso)
{
    struct map *map = context;
    if (!log_filter_fits(&map->filter, qso))
        return true;
    map->more = map->qsos == QSOS_MAX;
    if (map->more)
        return false;
    map->number = QSOS_MAX - map->qsos;
    add_qso(map, qso);
    return true;
}

/* Adds the newest QSOs of a whole log. The store visits the QSOs in the order in which they are
 * stored. Therefore a separate search decides whether older QSOs exist. */
static enum store_result add_newest(struct exchange *exchange, struct map *map)
{
    const int64_t member_id = exchange->member.id;
    int64_t slot;
    enum store_result result =
        store_list_map_points(exchange->store, member_id, QSOS_MAX, add_newer, map);
    if (result != STORE_DONE)
        return result;
    result = store_find_slot_below(exchange->store, member_id, INT64_MAX, QSOS_MAX, &slot);
    map->more = result == STORE_DONE;
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Returns the number of the last QSO whose point is left out, so that the answer has at most
 * POINTS_MAX points. */
static int64_t find_first_shown(const struct map *map)
{
    bool *is_last = arena_allocate_zeroed(map->arena, QSOS_MAX + 1);
    int64_t first = QSOS_MAX;
    for (const struct table_entry *entry = map->points.first; entry; entry = entry->next)
        is_last[((const struct point *)entry->value)->last] = true;
    for (int64_t left = POINTS_MAX; first > 0 && left > 0; first--)
        left -= is_last[first];
    return first;
}

/* Writes a point as an array of values. An object would repeat the names for each of thousands of
 * points. */
static void write_point(struct buffer *body, struct text key, const struct point *point)
{
    struct place place;
    struct text callsign = text_skip(key, sizeof place);
    memcpy(&place, key.bytes, sizeof place);
    json_write_element(body);
    buffer_append(body, "[", 1);
    json_append_degrees(body, place.lat);
    buffer_append(body, ",", 1);
    json_append_degrees(body, place.lng);
    buffer_print(body, ",%d,%d,%lld,", point->exact, point->confirmed, (long long)point->count);
    if (callsign.length > 0)
        json_append_string(body, callsign.bytes, callsign.length);
    else
        buffer_append_string(body, "null");
    buffer_append(body, "]", 1);
}

static void write_home(struct buffer *body, struct text locator)
{
    double lat, lng;
    if (!locator_find_middle(locator, &lat, &lng))
        return;
    json_begin_object(body, "home");
    json_write_degrees(body, "lat", lat);
    json_write_degrees(body, "lng", lng);
    buffer_append(body, "}", 1);
}

static void write_map(struct exchange *exchange, const struct map *map)
{
    struct buffer *body = exchange->body;
    buffer_append_string(body, "\"columns\":[\"lat\",\"lng\",\"exact\",\"confirmed\",\"count\","
                               "\"callsign\"],\"points\":[");
    int64_t first = find_first_shown(map);
    for (const struct table_entry *entry = map->points.first; entry; entry = entry->next) {
        const struct point *point = (const struct point *)entry->value;
        if (point->last > first)
            write_point(body, entry->key, point);
    }
    buffer_append(body, "]", 1);
    json_write_flag(body, "more", map->more || map->points.count > POINTS_MAX);
    write_home(body, exchange->member.locator);
}

static const struct error *answer_map(struct exchange *exchange)
{
    struct map map = {.arena = exchange->arena};
    TRY(log_query_read_filter(exchange, &map.filter));
    const struct log_walk walk = log_query_walk(&map.filter);
    table_begin(&map.points, exchange->arena, sizeof(struct point));
    enum store_result result =
        log_filter_wants_all(&map.filter)
            ? add_newest(exchange, &map)
            : store_walk_log(exchange->store, exchange->member.id, &walk, add_wanted, &map);
    write_map(exchange, &map);
    return profile_store_error(result);
}

PROFILE_LOG_ROUTE(profile_map, "map", profile_log_tag, answer_map);
