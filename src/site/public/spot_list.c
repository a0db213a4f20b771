/* Chooses the spots for an answer: the newest spots that match a query. An answer never reads all
 * spots. A parameter without a value counts as missing, because forms send empty values. An invalid
 * parameter is refused, because its sender would mistake all spots for the chosen spots. */
#include "site/public/spot_list.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/spot.h"
#include "site/public/routes.h"
#include "store/log/network_spots.h"
#include "store/log/spots.h"
#include "worker/input.h"

const struct spot_query spot_list_any = {.before_id = INT64_MAX, .band = -1, .mode = -1};

const char *const spot_list_bands[] = {
    [BAND_ELEVEN_METERS] = "11m", [BAND_PMR446] = "pmr446", NULL};
#define BAND_OF_NONE 2

int64_t spot_list_read_band(const struct exchange *exchange)
{
    int64_t band = 0;
    while (band < BAND_OF_NONE && !text_equals(exchange->request->segments[SPOT_LIST_SEGMENT],
                                               text_of(spot_list_bands[band])))
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

const struct error *spot_list_append(struct spot_list *list)
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

#define LIMIT_MAX 500
#define DIVISION_MAX 9999
#define MINUTES_MAX (INT64_C(366) * 1440)

/* Reads a parameter that contains one of the names, as the name's number. If the parameter is
 * missing, *number is unchanged. */
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
    return value.length > 0 ? input_refuse(exchange, parameter, "must be one of the allowed names")
                            : NULL;
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

const struct error *spot_list_read(struct exchange *exchange, struct spot_list *list)
{
    struct spot_query *query = &list->query;
    struct text part;
    int64_t minutes = 0;
    TRY(read_name(exchange, "band", spot_list_bands, &query->band));
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
