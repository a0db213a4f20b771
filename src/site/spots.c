/* GET /cluster/spots and its variants: the newest spots in the form of DXClusterAPI, which programs
 * read already, with a few fields of our own. Which spots these are is left to spot_list.c; the
 * page for people is spots_page.c. */
#include <stdio.h>
#include <string.h>

#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/special.h"
#include "json/write.h"
#include "site/spot_list.h"
#include "store/spots.h"

#define WANTED_SEGMENT 2 /* /cluster/spots/{band}, /cluster/spot/{khz} */
#define NEAR_HZ 500      /* how far the reading of a dial may differ */

/* The comment of the spot's line in the cluster. */
static void write_message(struct buffer *body, const struct spot *spot)
{
    char comment[SPOT_COMMENT_MAX + 1];
    spot_format_comment(spot, comment, sizeof comment);
    json_write_text(body, "message", text_of(comment));
}

/* A flag is two regional indicator symbols, U+1F1E6 for A. */
static void write_division(struct buffer *body, struct text callsign)
{
    const struct division *division = divisions_find(callsign);
    char flag[9] = "";
    if (division && *division->iso)
        snprintf(flag, sizeof flag, "\xF0\x9F\x87%c\xF0\x9F\x87%c", division->iso[0] - 'A' + 0xA6,
                 division->iso[1] - 'A' + 0xA6);
    json_write_text(body, "entity", text_of(division ? division->name : NULL));
    json_write_text(body, "prefix", text_of(division ? division->prefix : NULL));
    json_write_text(body, "cont", text_of(division ? division->continent : NULL));
    json_write_text(body, "flag", text_of(*flag ? flag : NULL));
}

/* What programs expect about a station's country: its division on 11 m. Its place is the middle of
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

/* The name under which a special station counts (qso/awards.h); null: it is none. */
static void write_special(struct buffer *body, struct text callsign)
{
    struct match_callsign normal;
    match_normalise_callsign(callsign, &normal);
    json_write_text(body, "special",
                    special_is(&normal) ? (struct text){normal.bytes, normal.length}
                                        : (struct text){0});
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
        buffer_append_real(body, (double)spot->frequency_hz / 1000.0);
    } else {
        json_write_null(body, "frequency");
    }
    write_message(body, spot);
    json_write_time(body, "when", spot->spotted_at_ms);
    json_write_text(body, "band", text_of(spot_list_band_name(spot)));
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
    write_special(body, spot->dx_callsign);
    buffer_append(body, "}", 1);
}

static const struct error *answer_array(struct exchange *exchange, struct spot_list *list)
{
    struct buffer *body = &exchange->response->body;
    list->append = write_spot;
    list->out = body;
    buffer_append(body, "[", 1);
    const struct error *error = spot_list_append(exchange, list);
    buffer_append(body, "]", 1);
    return error;
}

static const struct error *answer_all(struct exchange *exchange)
{
    struct spot_list list = {.most = SPOT_LIST_MAX};
    const struct error *error = spot_list_read_query(exchange, &list);
    if (!error)
        error = answer_array(exchange, &list);
    if (!error && list.has_more)
        response_add_header_number(exchange->response, "X-Next-Before", list.last_id);
    return error;
}

static const struct error *answer_band(struct exchange *exchange)
{
    struct spot_list list = {.most = SPOT_LIST_MAX};
    list.wishes.band = spot_list_band_of_path(exchange, WANTED_SEGMENT);
    return answer_array(exchange, &list);
}

static const struct error *answer_near(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct spot_list list = {.most = 1, .append = write_spot, .out = body};
    const struct error *error = NULL;
    int64_t hz;
    if (spot_list_read_khz(exchange->request->segments[WANTED_SEGMENT], exchange->arena, &hz)) {
        list.wishes.from_hz = hz - NEAR_HZ;
        list.wishes.to_hz = hz + NEAR_HZ;
        error = spot_list_append(exchange, &list);
    }
    if (!error && list.count == 0)
        buffer_append(body, "{}", 2);
    return error;
}

struct statistics {
    int64_t count, newest_ms, oldest_ms;
};

static bool count_spot(void *context, const struct spot *spot)
{
    struct statistics *statistics = context;
    if (statistics->count++ == 0)
        statistics->newest_ms = spot->spotted_at_ms;
    statistics->oldest_ms = spot->spotted_at_ms;
    return statistics->count < SPOT_LIST_MAX;
}

static const struct error *answer_statistics(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct statistics statistics = {0};
    if (store_list_spots(exchange->store, count_spot, &statistics) != STORE_DONE)
        return &error_internal;
    buffer_append(body, "{", 1);
    json_write_integer(body, "entries", statistics.count);
    json_write_time(body, "freshest", statistics.newest_ms);
    json_write_time(body, "oldest", statistics.oldest_ms);
    buffer_append(body, "}", 1);
    return NULL;
}

#define SPOTS_ROUTE(name, where, function)                                                         \
    const struct route name = {.method = METHOD_GET,                                               \
                               .path = where,                                                      \
                               .use = USES_SNAPSHOT,                                               \
                               .is_tagged = true,                                                  \
                               .status = 200,                                                      \
                               .answer = function}

SPOTS_ROUTE(route_spots, "/cluster/spots", answer_all);
SPOTS_ROUTE(route_spots_of_band, "/cluster/spots/{band}", answer_band);
SPOTS_ROUTE(route_spot_near, "/cluster/spot/{khz}", answer_near);
SPOTS_ROUTE(route_spot_statistics, "/cluster/stats", answer_statistics);
