/* Writes spots as rows of a table, for pages that are complete without JavaScript.
 * src/web/pages/cluster/cluster-rows.js creates the same rows. Some words are marked, so that the
 * page's script translates them. */
#include "site/public/spot_rows.h"

#include "base/buffer.h"
#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/spot.h"
#include "qso/tones.h"
#include "site/public/routes.h"
#include "site/shared/html.h"

static const char *small_of(struct arena *arena, const char *between, struct text text)
{
    return text.length > 0 ? arena_print(arena, "%s<bdi>%s</bdi>", between, html_of(arena, text))
                           : "";
}

/* Appends the rest of a cell: a callsign, then the station's locator and country. The page's script
 * translates the country's name. */
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

/* Returns a tone with its number, as toneOf in src/web/shared/words/qso-words.js does. */
static struct text name_tone(struct arena *arena, struct text ctcss)
{
    const int number = tones_number(ctcss);
    if (!ctcss.bytes)
        return ctcss;
    return text_of(number
                       ? arena_print(arena, "%d (%.*s Hz)", number, (int)ctcss.length, ctcss.bytes)
                       : arena_print(arena, "%.*s Hz", (int)ctcss.length, ctcss.bytes));
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
                     small_of(arena, " \xC2\xB7 ", name_tone(arena, spot->ctcss_tone)),
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

const char *spot_rows_of(struct spot_list *list)
{
    struct buffer rows = {0};
    list->append = append_row;
    list->out = &rows;
    list->error = spot_list_append(list);
    list->out = NULL;
    const char *html = arena_copy(list->exchange->arena, rows.bytes, rows.length);
    buffer_free(&rows);
    return html;
}

const char *spot_rows_newest(struct exchange *exchange, int64_t most)
{
    struct spot_list list = {.exchange = exchange, .query = spot_list_any, .most = most};
    return exchange->store ? spot_rows_of(&list) : "";
}
