/* Shows the member's log: its QSOs, filtered and in any order, those that were nearly confirmed,
 * and the map. The store reads the rows, which become JSON here; the page draws them
 * (src/pages/log/log-list.js). statistics.c counts. */
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/cursor.h"
#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/log_filter.h"
#include "qso/log_order.h"
#include "qso/match.h"
#include "qso/place.h"
#include "qso/render.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/club/claims_serve.h"
#include "store/confirm/near_matches.h"
#include "store/log/log.h"

#define NEAR_MATCHES_MAX 100

/* -- QSOs -------------------------------------------------------------------------------------- */

struct page {
    struct exchange *exchange;
    struct log_filter filter;
    struct log_order order;
    struct log_rank after; /* only what comes after it in the order */
    bool has_after;
    int64_t limit;
    struct log_first first; /* one row more than the page shows whether another page follows */
};

/* The key that orders a QSO before its time and id: a number, a text, or nothing. */
static struct text format_after(struct page *page, const struct log_rank *rank)
{
    char cursor[CURSOR_LENGTH];
    cursor_format(rank->qso_at_ms, rank->id, cursor);
    const char *value = "";
    if (rank->text.length > 0)
        value = arena_copy(page->exchange->arena, rank->text.bytes, rank->text.length);
    else if (rank->has_value && page->order.key != LOG_BY_TIME)
        value = arena_print(page->exchange->arena, "%lld", (long long)rank->number);
    return text_of(arena_print(page->exchange->arena, "%.*s%s", CURSOR_LENGTH, cursor, value));
}

static bool parse_after(struct text text, const struct log_order *order, struct log_rank *rank)
{
    if (text.length < CURSOR_LENGTH ||
        !cursor_parse((struct text){text.bytes, CURSOR_LENGTH}, &rank->qso_at_ms, &rank->id))
        return false;
    const struct text value = text_skip(text, CURSOR_LENGTH);
    const bool is_text = order->key == LOG_BY_CALLSIGN || order->key == LOG_BY_SQUARE;
    rank->has_value = value.length > 0 || order->key == LOG_BY_TIME;
    if (order->key == LOG_BY_TIME)
        rank->number = rank->qso_at_ms;
    else if (value.length > 0 && !is_text)
        return text_parse_integer(value, 0, INT64_MAX, &rank->number);
    else if (value.length <= MATCH_CALLSIGN_BYTES)
        memcpy(rank->text.bytes, value.bytes, rank->text.length = value.length);
    return value.length <= MATCH_CALLSIGN_BYTES;
}

static const struct error *read_after(struct page *page)
{
    struct text value;
    const struct error *error = input_read_parameter(page->exchange, "after", &value);
    page->has_after = value.bytes != NULL;
    if (error || !value.bytes || parse_after(value, &page->order, &page->after))
        return error;
    return input_refuse(page->exchange, "after",
                        "must be the nextCursor of the previous page in the same order");
}

/* QSOs come newest first, slot by slot. If newer slots have filled the page, older QSOs cannot
 * change it. */
static bool is_complete(const struct page *page, int64_t qso_at_ms)
{
    return page->order.key == LOG_BY_TIME && page->order.descending &&
           page->first.count == page->first.most &&
           match_slot(qso_at_ms) < match_slot(page->first.ranks[page->first.most - 1].qso_at_ms);
}

static bool take_qso(void *context, const struct qso *qso)
{
    struct page *page = context;
    struct log_rank rank;
    if (is_complete(page, qso->values[FIELD_QSO_AT].integer))
        return false;
    if (!log_filter_fits(&page->filter, qso))
        return true;
    log_rank_of(qso, &page->order, &rank);
    if (!page->has_after || log_rank_compare(&rank, &page->after, &page->order) > 0)
        log_first_add(&page->first, &rank);
    return true;
}

/* In newest-first order, a later row is never newer. */
static struct log_walk walk_of(const struct page *page)
{
    struct log_walk walk = log_query_walk(&page->filter);
    if (page->has_after && page->order.key == LOG_BY_TIME) {
        if (page->order.descending && page->after.qso_at_ms < walk.to_ms)
            walk.to_ms = page->after.qso_at_ms;
        if (!page->order.descending && page->after.qso_at_ms > walk.from_ms)
            walk.from_ms = page->after.qso_at_ms;
    }
    return walk;
}

/* Data that the page shows in addition to the fields: the division's number and the distance in km,
 * null if unknown, and the member of another club who confirms the QSO, if any. */
static void append_measures(struct buffer *out, const struct qso *qso, struct text member_locator,
                            const struct peer_confirmation *confirmation)
{
    struct place from, to;
    bool exact;
    int division = divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED));
    json_write_element(out);
    if (division == DIVISIONS_NONE)
        buffer_append_string(out, "[null,");
    else
        buffer_print(out, "[%d,", division);
    if (place_of_dx(qso, &to, &exact) && place_of_member(qso, member_locator, &from))
        buffer_append_integer(out, llround(place_distance_km(&from, &to)));
    else
        buffer_append_string(out, "null");
    if (confirmation->station.bytes)
        json_write_item(out, json_text("station", confirmation->station),
                        json_text("club", confirmation->club));
    buffer_append(out, "]", 1);
}

static enum store_result write_qsos(struct page *page, struct buffer *measures)
{
    struct exchange *exchange = page->exchange;
    enum store_result result;
    for (size_t i = 0; i < page->first.count && i < (size_t)page->limit; i++) {
        const int64_t id = page->first.ranks[i].id;
        struct peer_confirmation confirmation = {0};
        struct qso qso;
        result =
            store_find_own_qso(exchange->store, exchange->member.id, id, exchange->arena, &qso);
        if (result != STORE_DONE)
            return result;
        if (qso.values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT)
            result = store_find_peer_of_qso(exchange->store, exchange->arena, id, &confirmation);
        if (result != STORE_DONE && result != STORE_NONE)
            return result;
        json_write_element(exchange->body);
        render_qso(&qso, exchange->body);
        append_measures(measures, &qso, exchange->member.locator, &confirmation);
    }
    return STORE_DONE;
}

static const struct error *answer_qsos(struct exchange *exchange)
{
    struct page page = {.exchange = exchange};
    struct buffer *body = exchange->body, measures = {0};
    TRY(profile_read_limit(exchange, &page.limit));
    TRY(log_query_read_order(exchange, &page.order));
    TRY(read_after(&page));
    TRY(log_query_read_filter(exchange, &page.filter));
    const struct log_walk walk = walk_of(&page);
    log_first_begin(&page.first, &page.order, (size_t)page.limit + 1, exchange->arena);
    enum store_result result =
        store_walk_log(exchange->store, exchange->member.id, &walk, take_qso, &page);
    json_begin_array(body, "items");
    buffer_append(&measures, "[", 1);
    THEN(result, write_qsos(&page, &measures));
    buffer_append_string(body, "],\"measures\":");
    buffer_append(body, measures.bytes, measures.length);
    buffer_append(body, "]", 1);
    buffer_free(&measures);
    bool more = page.first.count > (size_t)page.limit;
    json_write_text(body, "nextCursor",
                    more ? format_after(&page, &page.first.ranks[page.limit - 1])
                         : (struct text){0});
    return profile_store_error(result);
}

/* Changes with every write to the log, so a page left open can tell whether to reload. */
static const struct error *answer_revision(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    buffer_print(exchange->body, "\"revision\":\"%lld-%lld\"", (long long)identity->log_epoch,
                 (long long)identity->log_revision);
    return NULL;
}

/* -- Near matches ------------------------------------------------------------------------------ */

static void add_near_match(void *context, const struct qso *qso, const char *rule)
{
    struct buffer *body = context;
    json_begin_item(body);
    json_write_text(body, "reason", text_of(rule));
    json_write_name(body, "qso");
    render_qso(qso, body);
    buffer_append(body, "}", 1);
}

static const struct error *answer_near_matches(struct exchange *exchange)
{
    json_begin_array(exchange->body, "items");
    enum store_result result =
        store_list_near_matches(exchange->store, exchange->member.id, exchange->member.callsign,
                                NEAR_MATCHES_MAX, add_near_match, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_qsos, METHOD_GET, "qsos", 200, answer_qsos);
PROFILE_ROUTE_OF_LOG(profile_revision, METHOD_GET, "revision", 200, answer_revision);
PROFILE_ROUTE_OF_LOG(profile_near_matches, METHOD_GET, "near-matches", 200, answer_near_matches);

/* -- The map ----------------------------------------------------------------------------------- */

/* GET /profile/data/map: the positions of stations worked, one point for each position and
 * callsign, of the QSOs in the filter. Only the newest are used, up to the number that a map can
 * show. The page has the land and the projection (src/pages/map/map.js). */

#define QSOS_MAX 10000
#define POINTS_MAX 5000 /* per answer */

/* Position and callsign of a station, compared byte by byte. */
struct point {
    int64_t count;
    int64_t last; /* number of its last QSO */
    bool exact, confirmed;
};

struct map {
    struct arena *arena;
    struct log_filter filter;
    struct table points;
    int64_t qsos;
    int64_t number; /* number of the QSO; the newest QSOs have the highest */
};

static void add_qso(struct map *map, const struct qso *qso)
{
    struct text callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    struct place place;
    bool exact;
    if (++map->qsos > QSOS_MAX || !place_of_dx(qso, &place, &exact))
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

/* The oldest of the newest QSOs comes first. */
static void add_newer(void *context, const struct qso *qso)
{
    struct map *map = context;
    map->number++;
    add_qso(map, qso);
}

/* The newest QSO of the log comes first. */
static bool add_wanted(void *context, const struct qso *qso)
{
    struct map *map = context;
    if (log_filter_fits(&map->filter, qso)) {
        map->number = QSOS_MAX - map->qsos;
        add_qso(map, qso);
    }
    return map->qsos <= QSOS_MAX;
}

/* Returns the number of a QSO. The points whose last QSO comes after it are as many as the answer
 * holds. */
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

/* Written as an array of values, because there are thousands. */
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
    json_write_flag(body, "more", map->qsos > QSOS_MAX || map->points.count > POINTS_MAX);
    write_home(body, exchange->member.locator);
}

static const struct error *answer_map(struct exchange *exchange)
{
    struct map map = {.arena = exchange->arena};
    const int64_t member_id = exchange->member.id;
    TRY(log_query_read_filter(exchange, &map.filter));
    const struct log_walk walk = log_query_walk(&map.filter);
    table_begin(&map.points, exchange->arena, sizeof(struct point));
    enum store_result result =
        log_filter_wants_all(&map.filter)
            ? store_list_map_points(exchange->store, member_id, QSOS_MAX + 1, add_newer, &map)
            : store_walk_log(exchange->store, member_id, &walk, add_wanted, &map);
    write_map(exchange, &map);
    return profile_store_error(result);
}

PROFILE_LOG_ROUTE(profile_map, "map", answer_map);
