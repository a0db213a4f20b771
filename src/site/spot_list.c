/* Fetches the newest spots of those that a request wants, whatever form they are shown in. No
 * answer reads all spots. What a request wants is read in spots.c, which also makes the forms.
 */
#include "site/spot_list.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "site/html.h"
#include "store/network_spots.h"

#define READ_MAX 5000
/* Spots are in the order in which they were published. If a clock went wrong for a while, some
 * are too old between others that are not. */
#define TOO_OLD_MAX 100

const char *spot_list_band_name(const struct spot *spot)
{
    return spot->band == BAND_PMR446 ? "pmr446" : "11m";
}

const char *spot_list_band_of_path(const struct exchange *exchange, int segment)
{
    struct text band = exchange->request->segments[segment];
    return arena_copy(exchange->arena, band.bytes, band.length);
}

static bool has_part(struct text callsign, const struct match_callsign *part)
{
    struct match_callsign whole;
    match_normalise_callsign(callsign, &whole);
    return memmem(whole.bytes, whole.length, part->bytes, part->length) != NULL;
}

static bool has_frequency(const struct spot_wishes *wishes, int64_t hz)
{
    return (!wishes->from_hz || hz >= wishes->from_hz) &&
           (!wishes->to_hz || (hz && hz <= wishes->to_hz));
}

static bool has_mode(const struct spot_wishes *wishes, const char *mode)
{
    return !wishes->mode || (mode && strcmp(wishes->mode, mode) == 0);
}

static bool is_wanted(const struct spot_wishes *wishes, const struct spot *spot)
{
    if (wishes->band && strcmp(wishes->band, spot_list_band_name(spot)) != 0)
        return false;
    if (!has_mode(wishes, spot_mode_name(spot)) || !has_frequency(wishes, spot->frequency_hz))
        return false;
    if (wishes->division && divisions_number(spot->dx_callsign) != wishes->division)
        return false;
    return wishes->callsign.length == 0 || has_part(spot->dx_callsign, &wishes->callsign) ||
           has_part(spot->spotter, &wishes->callsign);
}

static bool visit_spot(void *context, const struct spot *spot)
{
    struct spot_list *list = context;
    list->has_more = list->count == list->most || list->looked_at++ == READ_MAX;
    if (list->has_more)
        return false;
    list->last_id = spot->id;
    if (spot->spotted_at_ms < list->wishes.not_before_ms)
        return ++list->too_old < TOO_OLD_MAX;
    if (is_wanted(&list->wishes, spot)) {
        list->append(list->out, spot);
        list->count++;
    }
    return true;
}

const struct error *spot_list_append(struct exchange *exchange, struct spot_list *list)
{
    int64_t before = list->wishes.before_id;
    enum store_result result;
    if (list->is_network)
        result = store_list_network_spots(exchange->store, exchange->request->arrived_ms,
                                          visit_spot, list);
    else if (before)
        result = store_list_spots_before(exchange->store, before, visit_spot, list);
    else
        result = store_list_spots(exchange->store, visit_spot, list);
    return result == STORE_DONE ? NULL : &error_internal;
}

/* Writes spots as rows of a table, for pages that are complete without JavaScript;
 * src/pages/cluster/cluster.js makes the same rows for all others. The words in them are marked for
 * the page's script, which says them in the reader's language. */

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
