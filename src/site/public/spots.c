/* GET /cluster/spots and its variants: the newest spots in the format of DXClusterAPI, which
 * existing programs read, with a few extra fields. Spots from other clusters are a separate list,
 * so that nobody mistakes them for members' spots. */

#include "base/buffer.h"
#include "base/format.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/special.h"
#include "qso/spot.h"
#include "site/public/routes.h"
#include "site/public/spot_list.h"

#define NEAR_HZ 500 /* allowed error of a dial reading */

/* Writes the country fields that programs expect. The fields contain the station's 11 m division;
 * the place is the middle of the station's locator. A flag is two regional indicator symbols,
 * U+1F1E6 for A. */
static void write_country(struct buffer *body, const char *name, struct text callsign,
                          struct text locator)
{
    static const struct text unknown = {0};
    const struct division *division = divisions_find(callsign);
    char flag[9] = "";
    double lat, lng;
    if (division && *division->iso)
        format_cut(flag, sizeof flag, "\xF0\x9F\x87%c\xF0\x9F\x87%c", division->iso[0] - 'A' + 0xA6,
                   division->iso[1] - 'A' + 0xA6);
    json_begin_object(body, name);
    json_write_fields(body, json_text("entity", text_of(division ? division->name : NULL)),
                      json_text("prefix", text_of(division ? division->prefix : NULL)),
                      json_text("cont", text_of(division ? division->continent : NULL)),
                      json_text("flag", text_of(*flag ? flag : NULL)),
                      json_text("dxcc_id", unknown), json_text("lotw_user", unknown),
                      json_text("cqz", unknown));
    if (locator_find_middle(locator, &lat, &lng)) {
        json_write_degrees(body, "lat", lat);
        json_write_degrees(body, "lng", lng);
    } else {
        json_write_fields(body, json_text("lat", unknown), json_text("lng", unknown));
    }
    buffer_append(body, "}", 1);
}

static void write_frequency(struct buffer *body, int64_t hz)
{
    json_write_name(body, "frequency");
    if (hz)
        buffer_append_real(body, (double)hz / 1000.0);
    else
        buffer_append_string(body, "null");
}

/* Writes a spot. The field "message" is the comment in the spot's line on the cluster. The field
 * "special" is the name under which a special station counts (qso/awards.h). */
static void write_spot(struct spot_list *list, const struct spot *spot)
{
    struct buffer *body = list->out;
    char comment[SPOT_COMMENT_MAX + 1];
    struct match_callsign normal;
    spot_format_comment(spot, comment, sizeof comment);
    match_normalise_callsign(spot->dx_callsign, &normal);
    json_begin_item(body);
    json_write_fields(body, json_number("id", spot->id), json_text("spotter", spot->spotter),
                      json_text("spotted", spot->dx_callsign));
    write_frequency(body, spot->frequency_hz);
    json_write_text(body, "message", spot->source.bytes ? spot->comment : text_of(comment));
    if (spot->source.bytes)
        json_write_text(body, "source", spot->source);
    json_write_fields(
        body, json_time("when", spot->spotted_at_ms),
        json_text("band", text_of(spot_list_bands[spot->band])),
        json_text("mode", text_of(spot_mode_name(spot))),
        json_integer_or_null("channel", spot->channel), json_text("ctcssTone", spot->ctcss_tone),
        json_text("dcsCode", spot->dcs_code), json_text("spotterLocator", spot->my_locator),
        json_text("spottedLocator", spot->dx_locator));
    write_country(body, "dxcc_spotter", spot->spotter, spot->my_locator);
    write_country(body, "dxcc_spotted", spot->dx_callsign, spot->dx_locator);
    json_write_text(body, "special", special_is(&normal) ? match_text(&normal) : (struct text){0});
    buffer_append(body, "}", 1);
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct spot_list list = {.exchange = exchange,
                             .query = spot_list_any,
                             .most = SPOT_LIST_MAX,
                             .is_network = exchange->route == &route_network_spots,
                             .append = write_spot,
                             .out = exchange->body};
    if (exchange->route == &route_spots_of_band)
        list.query.band = spot_list_read_band(exchange);
    else
        TRY(spot_list_read(exchange, &list));
    buffer_append(exchange->body, "[", 1);
    TRY(spot_list_append(&list));
    buffer_append(exchange->body, "]", 1);
    if (list.has_more && exchange->route == &route_spots)
        response_add_header_number(exchange->response, "X-Next-Before", list.next_before_id);
    return NULL;
}

static const struct error *answer_near(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    struct spot_list list = {
        .exchange = exchange, .query = spot_list_any, .most = 1, .append = write_spot, .out = body};
    int64_t hz;
    if (spot_read_khz(exchange->request->segments[SPOT_LIST_SEGMENT], &hz)) {
        list.query.from_hz = hz - NEAR_HZ;
        list.query.to_hz = hz + NEAR_HZ;
        TRY(spot_list_append(&list));
    }
    if (list.count == 0)
        buffer_append(body, "{}", 2);
    return NULL;
}

static void note_time(struct spot_list *list, const struct spot *spot)
{
    if (list->count == 0)
        list->newest_ms = spot->spotted_at_ms;
    list->oldest_ms = spot->spotted_at_ms;
}

static const struct error *answer_statistics(struct exchange *exchange)
{
    struct spot_list list = {
        .exchange = exchange, .query = spot_list_any, .most = SPOT_LIST_MAX, .append = note_time};
    TRY(spot_list_append(&list));
    json_write_fields(exchange->body, json_integer("entries", list.count),
                      json_time("freshest", list.newest_ms), json_time("oldest", list.oldest_ms));
    return NULL;
}

TAGGED_ROUTE(spots, "/cluster/spots", USES_SNAPSHOT, answer_list);
TAGGED_ROUTE(network_spots, "/cluster/spots/network", USES_SNAPSHOT, answer_list);
TAGGED_ROUTE(spots_of_band, "/cluster/spots/{band}", USES_SNAPSHOT, answer_list);
TAGGED_ROUTE(spot_near, "/cluster/spot/{khz}", USES_SNAPSHOT, answer_near);
SITE_ROUTE(spot_statistics, METHOD_GET, "/cluster/stats", .use = USES_SNAPSHOT, .status = 200,
           .is_object = true, .is_tagged = true, .answer = answer_statistics);
