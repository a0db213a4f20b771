/* GET /cluster/spots and its kin: the newest spots in the form of DXClusterAPI, which programs read
 * already, with a few members of our own beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/spot.h"
#include "site/json_write.h"
#include "site/route.h"

#define SPOTS_MAX 100
#define SPOTS_READ_MAX 1000 /* to find those that are asked for among */
#define NEAR_HZ 500         /* what a dial's reading may differ by */

struct list {
    struct buffer *body;
    const char *band; /* NULL: every band */
    int64_t near_hz;  /* 0: any frequency */
    int64_t most;     /* spots in the answer */
    int64_t count;
    int64_t looked_at;
    int64_t newest_ms, oldest_ms;
};

static const char *band_name(const struct spot *spot)
{
    return spot->band == BAND_PMR446 ? "pmr446" : "11m";
}

/* What there is to say beside callsigns and frequency, as a line of the cluster would. */
static void write_message(struct buffer *body, const struct spot *spot)
{
    char comment[SPOT_COMMENT_MAX + 1];
    spot_format_comment(spot, comment, sizeof comment);
    json_write_text(body, "message", text_of(comment));
}

/* A flag is two letters from the row that Unicode keeps for it, U+1F1E6 for A. */
static void write_division(struct buffer *body, struct text callsign)
{
    const struct division *division = divisions_find(callsign);
    char flag[9] = "";
    if (division && *division->iso)
        snprintf(flag, sizeof flag, "\xF0\x9F\x87%c\xF0\x9F\x87%c", division->iso[0] - 'A' + 0xA6,
                 division->iso[1] - 'A' + 0xA6);
    json_write_text(body, "entity", text_of(division ? division->name : NULL));
    json_write_text(body, "cont", text_of(division ? division->continent : NULL));
    json_write_text(body, "flag", text_of(*flag ? flag : NULL));
}

/* What programs look for of a station's country: its division on 11 m. Its place is the middle of
 * its locator. */
static void write_country(struct buffer *body, const char *name, struct text callsign,
                          struct text locator)
{
    static const char *const unknown[] = {"dxcc_id", "lotw_user", "cqz"};
    double lat, lng;
    json_write_name(body, name);
    buffer_append(body, "{", 1);
    write_division(body, callsign);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        json_write_null(body, unknown[i]);
    if (locator_find_middle(locator, &lat, &lng)) {
        json_write_degrees(body, "lat", lat);
        json_write_degrees(body, "lng", lng);
    } else {
        json_write_null(body, "lat");
        json_write_null(body, "lng");
    }
    buffer_append(body, "}", 1);
}

static void write_spot(struct buffer *body, const struct spot *spot)
{
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_number_text(body, "id", spot->id);
    json_write_text(body, "spotter", spot->spotter);
    json_write_text(body, "spotted", spot->dx_callsign);
    if (spot->frequency_hz) {
        json_write_name(body, "frequency");
        buffer_append_json_real(body, (double)spot->frequency_hz / 1000.0);
    } else {
        json_write_null(body, "frequency");
    }
    write_message(body, spot);
    json_write_time(body, "when", spot->spotted_at_ms);
    json_write_text(body, "band", text_of(band_name(spot)));
    json_write_text(body, "mode", text_of(spot_mode_name(spot)));
    if (spot->channel)
        json_write_integer(body, "channel", spot->channel);
    else
        json_write_null(body, "channel");
    json_write_text(body, "ctcssTone", spot->ctcss_tone);
    json_write_text(body, "dcsCode", spot->dcs_code);
    json_write_text(body, "spotterLocator", spot->my_locator);
    json_write_text(body, "spottedLocator", spot->dx_locator);
    write_country(body, "dxcc_spotter", spot->spotter, spot->my_locator);
    write_country(body, "dxcc_spotted", spot->dx_callsign, spot->dx_locator);
    buffer_append(body, "}", 1);
}

static bool is_wanted(const struct list *list, const struct spot *spot)
{
    if (list->band && strcmp(list->band, band_name(spot)) != 0)
        return false;
    return !list->near_hz ||
           (spot->frequency_hz && llabs(spot->frequency_hz - list->near_hz) <= NEAR_HZ);
}

static bool visit_spot(void *context, const struct spot *spot)
{
    struct list *list = context;
    if (is_wanted(list, spot)) {
        write_spot(list->body, spot);
        list->count++;
    }
    return list->count < list->most && ++list->looked_at < SPOTS_READ_MAX;
}

static const struct error *list_spots(struct exchange *exchange, struct list *list)
{
    list->body = &exchange->response->body;
    enum store_result result = store_list_spots(exchange->store, visit_spot, list);
    return result == STORE_DONE ? NULL : &error_internal;
}

static const struct error *answer_array(struct exchange *exchange, struct list *list)
{
    buffer_append(&exchange->response->body, "[", 1);
    const struct error *error = list_spots(exchange, list);
    buffer_append(&exchange->response->body, "]", 1);
    return error;
}

static const struct error *answer_all(struct exchange *exchange)
{
    struct list list = {.most = SPOTS_MAX};
    return answer_array(exchange, &list);
}

static const struct error *answer_band(struct exchange *exchange)
{
    struct text band = exchange->request->segments[2];
    struct list list = {.most = SPOTS_MAX,
                        .band = arena_copy(exchange->arena, band.bytes, band.length)};
    return answer_array(exchange, &list);
}

/* kHz, with or without decimals. */
static bool read_khz(struct text text, struct arena *arena, int64_t *hz)
{
    char *end, *copy = arena_copy(arena, text.bytes, text.length);
    if (copy[strspn(copy, "0123456789.")] != '\0')
        return false;
    double khz = strtod(copy, &end);
    if (*end != '\0' || khz < 1 || khz > 1e6)
        return false;
    *hz = (int64_t)(khz * 1000 + 0.5);
    return true;
}

static const struct error *answer_near(struct exchange *exchange)
{
    struct list list = {.most = 1};
    const struct error *error = NULL;
    if (read_khz(exchange->request->segments[2], exchange->arena, &list.near_hz))
        error = list_spots(exchange, &list);
    if (!error && list.count == 0)
        buffer_append(&exchange->response->body, "{}", 2);
    return error;
}

static bool count_spot(void *context, const struct spot *spot)
{
    struct list *list = context;
    if (list->count++ == 0)
        list->newest_ms = spot->spotted_at_ms;
    list->oldest_ms = spot->spotted_at_ms;
    return list->count < SPOTS_MAX;
}

static const struct error *answer_statistics(struct exchange *exchange)
{
    struct list list = {.body = &exchange->response->body};
    if (store_list_spots(exchange->store, count_spot, &list) != STORE_DONE)
        return &error_internal;
    buffer_append(list.body, "{", 1);
    json_write_integer(list.body, "entries", list.count);
    json_write_time(list.body, "freshest", list.newest_ms);
    json_write_time(list.body, "oldest", list.oldest_ms);
    buffer_append(list.body, "}", 1);
    return NULL;
}

#define SPOTS_ROUTE(name, where, function)                                                         \
    const struct route name = {.method = METHOD_GET,                                               \
                               .path = where,                                                      \
                               .use = ROUTE_USES_SNAPSHOT,                                         \
                               .is_tagged = true,                                                  \
                               .status = 200,                                                      \
                               .answer = function}

SPOTS_ROUTE(route_spots, "/cluster/spots", answer_all);
SPOTS_ROUTE(route_spots_of_band, "/cluster/spots/{band}", answer_band);
SPOTS_ROUTE(route_spot_near, "/cluster/spot/{khz}", answer_near);
SPOTS_ROUTE(route_spot_statistics, "/cluster/stats", answer_statistics);
