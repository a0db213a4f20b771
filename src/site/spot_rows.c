/* Writes spots as rows of a table, for pages that are complete without JavaScript;
 * src/pages/cluster.js makes the same rows for all others. The words in them are marked for the
 * page's script, which says them in the reader's language. */
#include "site/spot_rows.h"

#include "base/datetime.h"
#include "qso/divisions.h"
#include "site/html.h"

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
        buffer_append_string(out, "<span class=\"muted\" data-say>no callsign</span>");
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

/* Of the cell that names it: the page's script says the country in the reader's language. */
static void append_country(struct buffer *out, struct text callsign)
{
    const struct division *division = divisions_find(callsign);
    if (division && *division->iso)
        buffer_print(out, " data-country=\"%s\"", division->iso);
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
        buffer_print(out, " <small><span data-say=\"channel {n}\" data-n=\"%d\">channel %d</span>",
                     (int)spot->channel, (int)spot->channel);
        append_small(out, " \xC2\xB7 ", spot->ctcss_tone);
        append_small(out, " \xC2\xB7 ", spot->dcs_code);
        buffer_append_string(out, "</small>");
    }
    buffer_append_string(out, "</td>\n");
}

void spot_rows_append(struct buffer *out, const struct spot *spot)
{
    const char *mode = spot_mode_name(spot);
    buffer_append_string(out,
                         "<tr role=\"row\">\n<th role=\"rowheader\" scope=\"row\" class=\"dx\"");
    append_country(out, spot->dx_callsign);
    buffer_append_string(out, ">");
    append_station(out, spot->dx_callsign, spot->dx_locator);
    buffer_append_string(out, "</th>\n");
    append_time(out, spot->spotted_at_ms);
    append_frequency(out, spot);
    buffer_print(out, "<td role=\"cell\" class=\"mode\">%s</td>\n", mode ? mode : "");
    buffer_append_string(out, "<td role=\"cell\" class=\"wide\" data-say-name");
    append_country(out, spot->spotter);
    buffer_append_string(out, " data-name=\"Heard by\">");
    append_station(out, spot->spotter, spot->my_locator);
    buffer_append_string(out, "</td>\n</tr>\n");
}
