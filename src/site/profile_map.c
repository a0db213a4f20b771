/* GET /profile/data/map: the places of the stations worked, one point for each place and callsign.
 * Of a large log the newest QSOs, as many as a map can show. */
#include <string.h>

#include "base/datetime.h"
#include "qso/locator.h"
#include "site/json_write.h"
#include "site/profile.h"

#define QSOS_MAX 15000
#define POINTS_MAX 5000
#define TABLE_SIZE 16384 /* more than POINTS_MAX, a power of two */

struct point {
    double lat, lng;
    struct text callsign;
    int64_t count;
    bool exact, confirmed;
};

struct map {
    struct arena *arena;
    struct point *points;
    size_t count;
    uint16_t *places; /* by hash: the number of the point and one; 0: free */
    int64_t qsos;
    bool more;
};

/* Exact coordinates before a locator. */
static bool find_place(const struct qso *qso, struct point *point)
{
    const struct value *lat = &qso->values[FIELD_DX_LAT], *lng = &qso->values[FIELD_DX_LNG];
    point->exact = lat->presence == VALUE_PRESENT && lng->presence == VALUE_PRESENT;
    if (!point->exact)
        return locator_find_middle(qso_text(qso, FIELD_DX_LOCATOR), &point->lat, &point->lng);
    point->lat = lat->real;
    point->lng = lng->real;
    return true;
}

/* The point that is the same but for its count, or a new one; NULL: there are too many. */
static struct point *find_point(struct map *map, const struct point *like)
{
    const double place[] = {like->lat, like->lng};
    uint64_t hash = text_hash(TEXT_HASH_START, place, sizeof place);
    hash = text_hash(hash, like->callsign.bytes, like->callsign.length);
    size_t at = hash % TABLE_SIZE;
    for (; map->places[at]; at = (at + 1) % TABLE_SIZE) {
        struct point *point = &map->points[map->places[at] - 1];
        if (memcmp(&point->lat, &like->lat, sizeof like->lat) == 0 &&
            memcmp(&point->lng, &like->lng, sizeof like->lng) == 0 &&
            text_equals(point->callsign, like->callsign))
            return point;
    }
    if (map->count == POINTS_MAX)
        return NULL;
    struct point *point = &map->points[map->count++];
    *point = *like;
    if (like->callsign.bytes)
        point->callsign.bytes = arena_copy(map->arena, like->callsign.bytes, like->callsign.length);
    map->places[at] = (uint16_t)map->count;
    return point;
}

static void add_qso(void *context, const struct qso *qso)
{
    struct map *map = context;
    struct point like = {.callsign = qso_text(qso, FIELD_CALLSIGN_WORKED)};
    map->more = map->more || ++map->qsos > QSOS_MAX;
    if (map->qsos > QSOS_MAX || !find_place(qso, &like))
        return;
    struct point *point = find_point(map, &like);
    map->more = map->more || !point;
    if (!point)
        return;
    point->count++;
    point->confirmed =
        point->confirmed || qso->values[FIELD_CROSS_CONFIRMED_AT].presence == VALUE_PRESENT;
}

static void write_place(struct buffer *body, double lat, double lng)
{
    json_write_degrees(body, "lat", lat);
    json_write_degrees(body, "lng", lng);
}

static void write_point(struct buffer *body, const struct point *point)
{
    json_write_element(body);
    buffer_append(body, "{", 1);
    write_place(body, point->lat, point->lng);
    json_write_flag(body, "exact", point->exact);
    json_write_text(body, "callsign", point->callsign);
    json_write_flag(body, "confirmed", point->confirmed);
    json_write_integer(body, "count", point->count);
    buffer_append(body, "}", 1);
}

static void write_map(struct exchange *exchange, const struct map *map)
{
    struct buffer *body = &exchange->response->body;
    double lat, lng;
    buffer_append_string(body, "{\"points\":[");
    for (size_t i = 0; i < map->count; i++)
        write_point(body, &map->points[i]);
    buffer_append(body, "]", 1);
    json_write_flag(body, "more", map->more);
    if (locator_find_middle(exchange->member.locator, &lat, &lng)) {
        json_write_name(body, "home");
        buffer_append(body, "{", 1);
        write_place(body, lat, lng);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "}", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    const struct log_search all = {.from_ms = DATETIME_MINIMUM_MS,
                                   .to_ms = DATETIME_MAXIMUM_MS,
                                   .before_ms = INT64_MAX,
                                   .before_id = INT64_MAX};
    struct map map = {.arena = exchange->arena,
                      .points = arena_allocate(exchange->arena, POINTS_MAX * sizeof *map.points),
                      .places =
                          arena_allocate_zeroed(exchange->arena, TABLE_SIZE * sizeof *map.places)};
    enum store_result result =
        store_search_log(exchange->store, exchange->member.id, &all, QSOS_MAX + 1, add_qso, &map);
    write_map(exchange, &map);
    return profile_store_error(result);
}

PROFILE_ROUTE(route_profile_map, METHOD_GET, "map", ROUTE_USES_SNAPSHOT, 200, answer);
