/* GET /cluster/list: the spots as a plain table, for browsers without JavaScript. The page is
 * src/pages/list.html; src/pages/cluster.js makes the same rows for all others. Which spots these
 * are is left to spot_list.c. */
#include <stdio.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "site/html.h"
#include "site/spot_list.h"

#define BAND_SEGMENT 2 /* /cluster/list/{band} */

static const char page[] =
#include "pages/list.inc"
    ;

static void append_small(struct buffer *out, const char *between, struct text text)
{
    if (!text.bytes || text.length == 0)
        return;
    buffer_append_string(out, between);
    buffer_append_string(out, "<bdi>");
    html_append_text(out, text);
    buffer_append_string(out, "</bdi>");
}

static void append_callsign(struct buffer *out, struct text callsign)
{
    if (!callsign.bytes) {
        buffer_append_string(out, "<span class=\"muted\">no callsign</span>");
        return;
    }
    buffer_append_string(out, "<bdi class=\"call\">");
    html_append_text(out, callsign);
    buffer_append_string(out, "</bdi>");
}

/* A callsign, then its locator and country. */
static void append_station(struct buffer *out, struct text callsign, struct text locator)
{
    const struct division *division = divisions_find(callsign);
    append_callsign(out, callsign);
    if (!locator.bytes && !division)
        return;
    buffer_append_string(out, " <small>");
    append_small(out, "", locator);
    append_small(out, locator.bytes ? " \xC2\xB7 " : "", text_of(division ? division->name : NULL));
    buffer_append_string(out, "</small>");
}

static void append_time(struct buffer *out, int64_t ms)
{
    char text[DATETIME_TEXT_LENGTH];
    datetime_format(ms, text);
    buffer_print(out,
                 "<td role=\"cell\" class=\"when number\"><time datetime=\"%.24s\">%.10s "
                 "%.5s</time></td>\n",
                 text, text, text + 11);
}

static void append_frequency(struct buffer *out, const struct spot *spot)
{
    buffer_append_string(out, "<td role=\"cell\" class=\"number\">");
    if (spot->frequency_hz)
        buffer_print(out, "%.*f MHz", spot->channel ? 5 : 3, (double)spot->frequency_hz / 1e6);
    if (spot->channel) {
        buffer_print(out, " <small>channel %d", (int)spot->channel);
        append_small(out, " \xC2\xB7 ", spot->ctcss_tone);
        append_small(out, " \xC2\xB7 ", spot->dcs_code);
        buffer_append_string(out, "</small>");
    }
    buffer_append_string(out, "</td>\n");
}

static void append_row(struct buffer *out, const struct spot *spot)
{
    const char *mode = spot_mode_name(spot);
    buffer_append_string(out,
                         "<tr role=\"row\">\n<th role=\"rowheader\" scope=\"row\" class=\"dx\">");
    append_station(out, spot->dx_callsign, spot->dx_locator);
    buffer_append_string(out, "</th>\n");
    append_time(out, spot->spotted_at_ms);
    append_frequency(out, spot);
    buffer_print(out, "<td role=\"cell\" class=\"mode\">%s</td>\n", mode ? mode : "");
    buffer_append_string(out, "<td role=\"cell\" class=\"wide\" data-name=\"Heard by\">");
    append_station(out, spot->spotter, spot->my_locator);
    buffer_append_string(out, "</td>\n</tr>\n");
}

/* -- The page ---------------------------------------------------------------------------------- */

struct filling {
    const char *root; /* how links lead to the front page */
    const struct spot_list *list;
};

static void append_summary(struct buffer *out, int64_t count)
{
    if (count == 0)
        buffer_append_string(out, "No spots.");
    else if (count == SPOT_LIST_MAX)
        buffer_print(out, "The newest %d spots.", SPOT_LIST_MAX);
    else
        buffer_print(out, "%d spot%s.", (int)count, count == 1 ? "" : "s");
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    const struct filling *filling = context;
    if (text_equals(name, text_of("root")))
        buffer_append_string(out, filling->root);
    if (text_equals(name, text_of("summary")))
        append_summary(out, filling->list->count);
    if (text_equals(name, text_of("rows")))
        buffer_append(out, filling->list->out->bytes, filling->list->out->length);
}

static const struct error *answer_page(struct exchange *exchange, const char *band,
                                       const char *root)
{
    struct buffer rows = {0};
    struct spot_list list = {
        .band = band, .most = SPOT_LIST_MAX, .append = append_row, .out = &rows};
    struct filling filling = {.root = root, .list = &list};
    const struct error *error = spot_list_append(exchange, &list);
    if (!error) {
        html_append_page(&exchange->response->body, page, append_value, &filling);
        exchange->response->content_type = "text/html; charset=utf-8";
    }
    buffer_free(&rows);
    return error;
}

static const struct error *answer_all(struct exchange *exchange)
{
    return answer_page(exchange, NULL, "../");
}

static const struct error *answer_band(struct exchange *exchange)
{
    return answer_page(exchange, spot_list_band_of_path(exchange, BAND_SEGMENT), "../../");
}

ROUTE(spots_page) = {
    .method = METHOD_GET,
    .path = "/cluster/list",
    .use = USES_SNAPSHOT,
    .is_tagged = true,
    .status = 200,
    .answer = answer_all,
};

ROUTE(spots_page_of_band) = {
    .method = METHOD_GET,
    .path = "/cluster/list/{band}",
    .use = USES_SNAPSHOT,
    .is_tagged = true,
    .status = 200,
    .answer = answer_band,
};
