/* GET /profile/data/map: where the stations worked are, one point for each position and callsign.
 * Of a large log only the newest QSOs are taken, as many as a map can show. Land and projection are
 * the page's (src/pages/map/map.js). */
#include <string.h>

#include "base/keyed_hash.h"
#include "qso/locator.h"
#include "json/write.h"
#include "site/profile.h"
#include "store/log.h"

#define QSOS_MAX 10000
#define POINTS_MAX 5000  /* of the answer */
#define TABLE_SIZE 32768 /* more than QSOS_MAX, a power of two */

struct point {
    double lat, lng;
    struct text callsign;
    int64_t count;
    int64_t last; /* the number of its last QSO */
    bool exact, confirmed;
};

struct map {
    struct arena *arena;
    struct keyed_hash hash;
    struct point *points;
    size_t count;
    uint16_t *table; /* by hash: the number of the point plus one; 0: free */
    int64_t qsos;
};

static bool find_coordinates(const struct qso *qso, struct point *point)
{
    struct place place;
    if (!place_of_dx(qso, &place, &point->exact))
        return false;
    point->lat = place.lat;
    point->lng = place.lng;
    return true;
}

/* The point with the same coordinates and callsign, or a new one. */
static struct point *find_point(struct map *map, const struct point *like)
{
    const struct {
        double lat, lng;
        uint64_t callsign;
    } key = {like->lat, like->lng,
             keyed_hash_of(&map->hash, like->callsign.bytes, like->callsign.length)};
    size_t at = keyed_hash_of(&map->hash, &key, sizeof key) % TABLE_SIZE;
    for (; map->table[at]; at = (at + 1) % TABLE_SIZE) {
        struct point *point = &map->points[map->table[at] - 1];
        if (memcmp(&point->lat, &like->lat, sizeof like->lat) == 0 &&
            memcmp(&point->lng, &like->lng, sizeof like->lng) == 0 &&
            text_equals(point->callsign, like->callsign))
            return point;
    }
    struct point *point = &map->points[map->count++];
    *point = *like;
    if (like->callsign.bytes)
        point->callsign.bytes = arena_copy(map->arena, like->callsign.bytes, like->callsign.length);
    map->table[at] = (uint16_t)map->count;
    return point;
}

static void add_qso(void *context, const struct qso *qso)
{
    struct map *map = context;
    struct point like = {.callsign = qso_text(qso, FIELD_CALLSIGN_WORKED)};
    map->qsos++;
    if (map->qsos > QSOS_MAX || !find_coordinates(qso, &like))
        return;
    struct point *point = find_point(map, &like);
    point->count++;
    point->last = map->qsos;
    point->confirmed =
        point->confirmed || qso->values[FIELD_CROSS_CONFIRMED_AT].presence == VALUE_PRESENT;
}

/* The number of a QSO: the points with a last one after it are as many as the answer holds. */
static int64_t find_first_shown(const struct map *map)
{
    bool *is_last = arena_allocate_zeroed(map->arena, QSOS_MAX + 1);
    int64_t first = QSOS_MAX;
    for (size_t i = 0; i < map->count; i++)
        is_last[map->points[i].last] = true;
    for (int64_t left = POINTS_MAX; first > 0 && left > 0; first--)
        left -= is_last[first];
    return first;
}

/* As an array of values, because there are thousands. */
static void write_point(struct buffer *body, const struct point *point)
{
    json_write_element(body);
    buffer_append(body, "[", 1);
    json_append_degrees(body, point->lat);
    buffer_append(body, ",", 1);
    json_append_degrees(body, point->lng);
    buffer_append_string(body, point->exact ? ",1," : ",0,");
    buffer_append_string(body, point->confirmed ? "1," : "0,");
    buffer_append_integer(body, point->count);
    buffer_append(body, ",", 1);
    if (point->callsign.bytes)
        json_append_string(body, point->callsign.bytes, point->callsign.length);
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
    struct buffer *body = &exchange->response->body;
    buffer_append_string(body, "{\"columns\":[\"lat\",\"lng\",\"exact\",\"confirmed\",\"count\","
                               "\"callsign\"],\"points\":[");
    int64_t first = find_first_shown(map);
    for (size_t i = 0; i < map->count; i++)
        if (map->points[i].last > first)
            write_point(body, &map->points[i]);
    buffer_append(body, "]", 1);
    json_write_flag(body, "more", map->qsos > QSOS_MAX || map->count > POINTS_MAX);
    write_home(body, exchange->member.locator);
    buffer_append(body, "}", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    struct map map = {.arena = exchange->arena,
                      .hash = keyed_hash_begin(),
                      .points = arena_allocate(exchange->arena, QSOS_MAX * sizeof *map.points),
                      .table =
                          arena_allocate_zeroed(exchange->arena, TABLE_SIZE * sizeof *map.table)};
    enum store_result result =
        store_list_map_points(exchange->store, exchange->member.id, QSOS_MAX + 1, add_qso, &map);
    write_map(exchange, &map);
    return profile_store_error(result);
}

PROFILE_LOG_ROUTE(profile_map, "map", answer);
