/* Reads which spots a request wants, and fetches the newest of them, whatever form they are shown
 * in. A band is looked for among the newest spots only, so that no answer reads all spots. The
 * forms are made in spots.c and spots_page.c. */
#include "site/spot_list.h"

#include <stdlib.h>
#include <string.h>

#include "store/spots.h"

#define READ_MAX 1000
#define NEAR_HZ 500 /* how far the reading of a dial may differ */

const char *spot_list_band_name(const struct spot *spot)
{
    return spot->band == BAND_PMR446 ? "pmr446" : "11m";
}

const char *spot_list_band_of_path(const struct exchange *exchange, int segment)
{
    struct text band = exchange->request->segments[segment];
    return arena_copy(exchange->arena, band.bytes, band.length);
}

static bool is_wanted(const struct spot_list *list, const struct spot *spot)
{
    if (list->band && strcmp(list->band, spot_list_band_name(spot)) != 0)
        return false;
    return !list->near_hz ||
           (spot->frequency_hz && llabs(spot->frequency_hz - list->near_hz) <= NEAR_HZ);
}

static bool visit_spot(void *context, const struct spot *spot)
{
    struct spot_list *list = context;
    if (is_wanted(list, spot)) {
        list->append(list->out, spot);
        list->count++;
    }
    return list->count < list->most && ++list->looked_at < READ_MAX;
}

const struct error *spot_list_append(struct exchange *exchange, struct spot_list *list)
{
    enum store_result result = store_list_spots(exchange->store, visit_spot, list);
    return result == STORE_DONE ? NULL : &error_internal;
}
