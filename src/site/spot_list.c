/* Fetches the newest spots of those that a request wants, whatever form they are shown in. No
 * answer reads all spots. What a request wants is read in spot_query.c; the forms are made in
 * spots.c and spots_page.c. */
#include "site/spot_list.h"

#include <string.h>

#include "qso/divisions.h"
#include "store/spots.h"

#define READ_MAX 5000
/* Spots are in the order in which they were published. Where a clock went wrong for a while, some
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
    enum store_result result =
        before ? store_list_spots_before(exchange->store, before, visit_spot, list)
               : store_list_spots(exchange->store, visit_spot, list);
    return result == STORE_DONE ? NULL : &error_internal;
}
