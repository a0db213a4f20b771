/* The newest spots, in the form of DXClusterAPI (GET /cluster/spots and its variants), which
 * existing programs read, with a few extra fields. Spots of other clusters are a separate list, so
 * that nobody mistakes them for members' spots. There is also a table for people. An answer never
 * reads all spots. */
#include "site/public/spots.h"

#include <string.h>

#include "base/buffer.h"
#include "base/datetime.h"
#include "base/format.h"
#include "json/write.h"
#include "json/write_object.h"
#include "pages/list.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/special.h"
#include "qso/spot.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/html.h"
#include "site/shared/page.h"
#include "store/log/spots.h"
#include "worker/input.h"

/* -- Which spots ------------------------------------------------------------------------------- */

#define SPOT_LIST_MAX 100

struct spot_list {
    struct exchange *exchange;
    struct spot_query query;
    int64_t most;    /* spots in the list */
    bool is_network; /* spots of other clusters */
    void (*append)(struct spot_list *list, const struct spot *spot);
    struct buffer *out;
    const struct error *error;
    int64_t count; /* number of spots appended */
    bool has_more; /* older matching spots may precede the spot with the next number */
    int64_t next_before_id;
    int64_t newest_ms, oldest_ms; /* of the appended spots, for the statistics */
};

static const struct spot_query any_spot = {.before_id = INT64_MAX, .band = -1, .mode = -1};

/* The index is the number of the band; the names are those of DXClusterAPI's clients. */
static const char *const band_names[] = {
    [BAND_ELEVEN_METERS] = "11m", [BAND_PMR446] = "pmr446", NULL};
#define BAND_OF_NONE 2

#define WANTED_SEGMENT 2 /* /cluster/spots/{band}, /cluster/list/{band}, /cluster/spot/{khz} */

static int64_t band_of_path(const struct exchange *exchange)
{
    int64_t band = 0;
    while (band < BAND_OF_NONE &&
           !text_equals(exchange->request->segments[WANTED_SEGMENT], text_of(band_names[band])))
        band++;
    return band;
}

static bool has_part(struct text callsign, const struct match_callsign *part)
{
    struct match_callsign whole;
    match_normalise_callsign(callsign, &whole);
    return memmem(whole.bytes, whole.length, part->bytes, part->length) != NULL;
}

static bool is_wanted(const struct spot_query *query, const struct spot *spot)
{
    const int64_t hz = spot->frequency_hz;
    if ((query->band >= 0 && spot->band != query->band) ||
        (query->mode >= 0 && spot->mode != query->mode) ||
        spot->spotted_at_ms < query->not_before_ms)
        return false;
    if (hz < query->from_hz || (query->to_hz && (!hz || hz > query->to_hz)))
        return false;
    if (query->division && divisions_number(spot->dx_callsign) != query->division)
        return false;
    return query->callsign.length == 0 || has_part(spot->dx_callsign, &query->callsign) ||
           has_part(spot->spotter, &query->callsign);
}

static bool visit_spot(void *context, const struct spot *spot)
{
    struct spot_list *list = context;
    list->has_more = list->count == list->most;
    if (list->has_more)
        return false;
    list->next_before_id = spot->id;
    if (is_wanted(&list->query, spot)) {
        list->append(list, spot);
        list->count++;
    }
    return true;
}

/* Appends the spots to list->out, newest first. Reads at most a few thousand; has_more and last_id
 * show where the next answer continues. */
static const struct error *append_list(struct spot_list *list)
{
    struct store *store = list->exchange->store;
    int64_t before_id = 0;
    if (list->query.band == BAND_OF_NONE)
        return NULL;
    enum store_result result =
        list->is_network
            ? store_list_network_spots(store, list->exchange->request->arrived_ms, visit_spot, list)
            : store_list_wanted_spots(store, &list->query, visit_spot, list, &before_id);
    if (!list->has_more && before_id) {
        list->has_more = true;
        list->next_before_id = before_id;
    }
    return route_store_error(result);
}

/* Writes spots as rows of a table, for pages that are complete without JavaScript;
 * src/pages/cluster/cluster.js makes the same rows. The words are marked for the page's script,
 * which translates them. */

static const char *small_of(struct arena *arena, const char *between, struct text text)
{
    return text.length > 0 ? arena_print(arena, "%s<bdi>%s</bdi>", between, html_of(arena, text))
                           : "";
}

/* The rest of a cell: a callsign, then its locator and country. The page's script translates the
 * country. */
static void append_station(struct spot_list *list, const char *rest_of_tag, struct text callsign,
                           struct text locator)
{
    struct arena *arena = list->exchange->arena;
    const struct division *division = divisions_find(callsign);
    if (division && *division->iso)
        buffer_print(list->out, " data-country=\"%s\"", division->iso);
    buffer_append_string(list->out, rest_of_tag);
    if (callsign.bytes)
        buffer_print(list->out, "<bdi class=\"call\">%s</bdi>", html_of(arena, callsign));
    else
        buffer_append_string(list->out, "<span class=\"muted\" data-say>no callsign</span>");
    if (locator.bytes || division)
        buffer_print(list->out, " <small>%s%s</small>", small_of(arena, "", locator),
                     small_of(arena, locator.bytes ? " \xC2\xB7 " : "",
                              text_of(division ? division->name : NULL)));
}

static void append_frequency(struct spot_list *list, const struct spot *spot)
{
    struct arena *arena = list->exchange->arena;
    buffer_append_string(list->out, "<td role=\"cell\" class=\"number\">");
    if (spot->frequency_hz)
        buffer_print(list->out, "%.*f MHz", spot->channel ? 5 : 3,
                     (double)spot->frequency_hz / 1e6);
    if (spot->channel)
        buffer_print(list->out,
                     " <small><span data-say=\"channel {n}\" data-n=\"%d\">channel %d</span>"
                     "%s%s</small>",
                     (int)spot->channel, (int)spot->channel,
                     small_of(arena, " \xC2\xB7 ", spot->ctcss_tone),
                     small_of(arena, " \xC2\xB7 ", spot->dcs_code));
    buffer_append_string(list->out, "</td>\n");
}

static void append_row(struct spot_list *list, const struct spot *spot)
{
    const char *mode = spot_mode_name(spot);
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(spot->spotted_at_ms, time);
    buffer_append_string(list->out,
                         "<tr role=\"row\">\n<th role=\"rowheader\" scope=\"row\" class=\"dx\"");
    append_station(list, ">", spot->dx_callsign, spot->dx_locator);
    buffer_print(list->out,
                 "</th>\n<td role=\"cell\" class=\"when number\"><time datetime=\"%.24s\">%.10s "
                 "%.5s</time></td>\n",
                 time, time, time + 11);
    append_frequency(list, spot);
    buffer_print(list->out,
                 "<td role=\"cell\" class=\"mode\">%s</td>\n"
                 "<td role=\"cell\" class=\"wide\" data-say-name",
                 mode ? mode : "");
    append_station(list, " data-name=\"Heard by\">", spot->spotter, spot->my_locator);
    buffer_append_string(list->out, "</td>\n</tr>\n");
}

/* The rows of a list, in the arena. */
static const char *rows_of(struct spot_list *list)
{
    struct buffer rows = {0};
    list->append = append_row;
    list->out = &rows;
    list->error = append_list(list);
    list->out = NULL;
    const char *html = arena_copy(list->exchange->arena, rows.bytes, rows.length);
    buffer_free(&rows);
    return html;
}

const char *spot_rows_newest(struct exchange *exchange, int64_t most)
{
    struct spot_list list = {.exchange = exchange, .query = any_spot, .most = most};
    return exchange->store ? rows_of(&list) : "";
}

/* Reads the filter for spots from the parameters of a query. A parameter without a value counts as
 * missing, as forms send it. An invalid one is refused; otherwise its sender would mistake all
 * spots for those of a band. */

#define LIMIT_MAX 500
#define DIVISION_MAX 9999
#define MINUTES_MAX (INT64_C(366) * 1440)

/* The number of a name; without a name *number is unchanged. */
static const struct error *read_name(struct exchange *exchange, const char *parameter,
                                     const char *const *names, int64_t *number)
{
    struct text value;
    TRY(input_read_parameter(exchange, parameter, &value));
    for (int64_t i = 0; names[i]; i++)
        if (text_equals(value, text_of(names[i]))) {
            *number = i;
            return NULL;
        }
    return value.length > 0 ? input_refuse(exchange, parameter, "must be one of its names") : NULL;
}

static const struct error *read_frequency(struct exchange *exchange, const char *parameter,
                                          int64_t *hz)
{
    struct text value;
    TRY(input_read_parameter(exchange, parameter, &value));
    return value.length > 0 && !spot_read_khz(value, hz)
               ? input_refuse(exchange, parameter, "must be kHz from 1 to 1000000")
               : NULL;
}

static const struct error *read_integer(struct exchange *exchange, const char *parameter,
                                        int64_t most, int64_t *number)
{
    struct text value;
    TRY(input_read_parameter(exchange, parameter, &value));
    return value.length > 0 ? input_read_integer(exchange, parameter, 1, most, number) : NULL;
}

/* Reads the filter and the limit from the query: band, mode, callsign, division, from and to (kHz),
 * minutes (its age), before (the id of a spot) and limit. */
static const struct error *read_query(struct exchange *exchange, struct spot_list *list)
{
    struct spot_query *query = &list->query;
    struct text part;
    int64_t minutes = 0;
    TRY(read_name(exchange, "band", band_names, &query->band));
    TRY(read_name(exchange, "mode", fields[FIELD_MODE].choices, &query->mode));
    TRY(input_read_parameter(exchange, "callsign", &part));
    if (part.length > MATCH_CALLSIGN_BYTES)
        return input_refuse(exchange, "callsign", "must be at most 20 characters long");
    match_normalise_callsign(part, &query->callsign);
    TRY(read_frequency(exchange, "from", &query->from_hz));
    TRY(read_frequency(exchange, "to", &query->to_hz));
    TRY(read_integer(exchange, "division", DIVISION_MAX, &query->division));
    TRY(read_integer(exchange, "minutes", MINUTES_MAX, &minutes));
    TRY(read_integer(exchange, "before", INT64_MAX, &query->before_id));
    if (minutes)
        query->not_before_ms = exchange->request->arrived_ms - minutes * DATETIME_MINUTE_MS;
    return read_integer(exchange, "limit", LIMIT_MAX, &list->most);
}

/* -- As JSON ----------------------------------------------------------------------------------- */

#define NEAR_HZ 500 /* allowed error of a dial reading */

/* The country fields that programs expect, which hold the station's division on 11 m. Its place is
 * the middle of its locator. A flag is two regional indicator symbols, U+1F1E6 for A. */
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

/* The message is the comment of the spot's line in the cluster; special is the name under which a
 * special station counts (qso/awards.h). */
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
        json_text("band", text_of(band_names[spot->band])),
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
                             .query = any_spot,
                             .most = SPOT_LIST_MAX,
                             .is_network = exchange->route == &route_network_spots,
                             .append = write_spot,
                             .out = exchange->body};
    if (exchange->route == &route_spots_of_band)
        list.query.band = band_of_path(exchange);
    else
        TRY(read_query(exchange, &list));
    buffer_append(exchange->body, "[", 1);
    TRY(append_list(&list));
    buffer_append(exchange->body, "]", 1);
    if (list.has_more && exchange->route == &route_spots)
        response_add_header_number(exchange->response, "X-Next-Before", list.next_before_id);
    return NULL;
}

static const struct error *answer_near(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    struct spot_list list = {
        .exchange = exchange, .query = any_spot, .most = 1, .append = write_spot, .out = body};
    int64_t hz;
    if (spot_read_khz(exchange->request->segments[WANTED_SEGMENT], &hz)) {
        list.query.from_hz = hz - NEAR_HZ;
        list.query.to_hz = hz + NEAR_HZ;
        TRY(append_list(&list));
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
        .exchange = exchange, .query = any_spot, .most = SPOT_LIST_MAX, .append = note_time};
    TRY(append_list(&list));
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

/* GET /cluster/list: the spots as a plain table, for browsers without JavaScript. The page is
 * src/pages/cluster/list.html; src/pages/cluster/cluster.js makes the same rows elsewhere. */

/* -- The page ---------------------------------------------------------------------------------- */

static const struct error *answer_page(struct exchange *exchange)
{
    bool is_of_band = exchange->route == &route_spots_page_of_band;
    struct spot_list list = {.exchange = exchange, .query = any_spot, .most = SPOT_LIST_MAX};
    if (is_of_band)
        list.query.band = band_of_path(exchange);
    const char *rows = rows_of(&list);
    const struct page_value values[] = {
        {"n", arena_print(exchange->arena, "%lld", (long long)list.count)},
        {"none", list.count == 0 ? "" : NULL},
        {"newest", list.count == SPOT_LIST_MAX ? "" : NULL},
        {"all", list.count > 0 && list.count < SPOT_LIST_MAX ? "" : NULL},
        {"several", list.count == 1 ? NULL : ""},
        {"rows", rows},
        {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, list_html, is_of_band ? "../../" : "../", values);
    return list.error;
}

TAGGED_ROUTE(spots_page, "/cluster/list", USES_SNAPSHOT, answer_page);
TAGGED_ROUTE(spots_page_of_band, "/cluster/list/{band}", USES_SNAPSHOT, answer_page);
