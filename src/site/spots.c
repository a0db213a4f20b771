/* GET /cluster/spots and its kin: the newest spots in the form of DXClusterAPI, which programs read
 * already, with a few members of our own beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "qso/locator.h"
#include "qso/render.h"
#include "qso/spot.h"
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

static void append_name(struct list *list, const char *name)
{
    buffer_append(list->body, ",\"", 2);
    buffer_append_string(list->body, name);
    buffer_append(list->body, "\":", 2);
}

static void append_text(struct list *list, const char *name, struct text text)
{
    append_name(list, name);
    if (text.bytes)
        buffer_append_json_string(list->body, text.bytes, text.length);
    else
        buffer_append_string(list->body, "null");
}

/* What there is to say beside callsigns and frequency, as a line of the cluster would. */
static void append_message(struct list *list, const struct spot *spot)
{
    char comment[SPOT_COMMENT_MAX + 1];
    spot_format_comment(spot, comment, sizeof comment);
    append_text(list, "message", text_of(comment));
}

static void append_degrees(struct list *list, bool is_known, double degrees)
{
    if (is_known)
        buffer_append_json_real(list->body, round(degrees * 1e6) / 1e6);
    else
        buffer_append_string(list->body, "null");
}

/* What programs look for of a station's country. Its place is the middle of its locator. */
static void append_country(struct list *list, const char *name, struct text locator)
{
    double lat, lng;
    bool has_place = locator_find_middle(locator, &lat, &lng);
    append_name(list, name);
    buffer_append_string(list->body, "{\"cont\":null,\"entity\":null,\"flag\":null,"
                                     "\"dxcc_id\":null,\"lotw_user\":null");
    append_name(list, "lat");
    append_degrees(list, has_place, lat);
    append_name(list, "lng");
    append_degrees(list, has_place, lng);
    buffer_append_string(list->body, ",\"cqz\":null}");
}

static void append_spot(struct list *list, const struct spot *spot)
{
    struct buffer *body = list->body;
    buffer_append_string(body, list->count ? ",{\"id\":\"" : "{\"id\":\"");
    buffer_append_integer(body, spot->id);
    buffer_append(body, "\"", 1);
    append_text(list, "spotter", spot->spotter);
    append_text(list, "spotted", spot->dx_callsign);
    append_name(list, "frequency");
    if (spot->frequency_hz)
        buffer_append_json_real(body, (double)spot->frequency_hz / 1000.0);
    else
        buffer_append_string(body, "null");
    append_message(list, spot);
    append_name(list, "when");
    render_time(spot->spotted_at_ms, body);
    append_text(list, "band", text_of(band_name(spot)));
    append_text(list, "mode", text_of(spot_mode_name(spot)));
    append_name(list, "channel");
    if (spot->channel)
        buffer_append_integer(body, spot->channel);
    else
        buffer_append_string(body, "null");
    append_text(list, "ctcssTone", spot->ctcss_tone);
    append_text(list, "dcsCode", spot->dcs_code);
    append_text(list, "spotterLocator", spot->my_locator);
    append_text(list, "spottedLocator", spot->dx_locator);
    append_country(list, "dxcc_spotter", spot->my_locator);
    append_country(list, "dxcc_spotted", spot->dx_locator);
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
        append_spot(list, spot);
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
    buffer_append_string(list.body, "{\"entries\":");
    buffer_append_integer(list.body, list.count);
    append_name(&list, "freshest");
    render_time(list.newest_ms, list.body);
    append_name(&list, "oldest");
    render_time(list.oldest_ms, list.body);
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
