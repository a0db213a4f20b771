/* Compares the station callsigns of records with the log's own callsigns. The mapping decides which
 * field in a record contains the station callsign. A record without a station callsign has the
 * log's own callsign. */
#include "transfer/stations.h"

#include "adif/rows.h"
#include "qso/fields.h"
#include "store/people/grants.h"
#include "transfer/matching.h"
#include "transfer/matching_own.h"

struct granted {
    struct arena *arena;
    struct match_callsign *list;
    size_t count, capacity;
};

static struct match_callsign *add(struct granted *granted)
{
    granted->list = arena_grow(granted->arena, granted->list, granted->count, &granted->capacity,
                               sizeof *granted->list);
    return &granted->list[granted->count++];
}

static void add_station(void *context, const struct grant *grant)
{
    struct match_callsign normal;
    if (grant->ended_ms)
        return;
    match_normalise_callsign(grant->station, &normal);
    match_base_callsign(&normal, add(context));
}

enum store_result stations_read(struct store *store, int64_t member_id, int64_t now_ms,
                                struct arena *arena, struct stations *out)
{
    struct granted granted = {.arena = arena};
    struct contact_own own;
    *out = (struct stations){0};
    table_begin(&out->found, arena, sizeof(int64_t));
    enum store_result result = matching_read_own(store, member_id, arena, &own);
    for (size_t i = 0; i < own.count && result == STORE_DONE; i++)
        *add(&granted) = own.callsigns[i];
    THEN(result, store_list_grants(store, member_id, now_ms, add_station, &granted));
    out->own = (struct contact_own){granted.list, granted.count};
    return result;
}

static bool is_own(const struct stations *stations, const struct match_callsign *callsign)
{
    return callsign->length == 0 || contact_is_own(&stations->own, callsign);
}

bool stations_is_own(const struct stations *stations, struct text callsign)
{
    struct match_callsign normal;
    match_normalise_callsign(callsign, &normal);
    return is_own(stations, &normal);
}

void stations_take(struct stations *stations, struct mapped *mapped)
{
    struct match_callsign normal;
    match_normalise_callsign(qso_text(&mapped->qso, FIELD_OPERATOR_CALLSIGN), &normal);
    if (is_own(stations, &normal))
        return;
    struct text name = match_text(&normal);
    if (stations->found.count >= STATIONS_NAMES && !table_find(&stations->found, name))
        name.length = 0;
    ++*(int64_t *)table_at(&stations->found, name);
    if (stations->callsign.bytes)
        mapped->qso.values[FIELD_OPERATOR_CALLSIGN] =
            (struct value){.text = stations->callsign.bytes,
                           .length = (unsigned)stations->callsign.length,
                           .state = VALUE_PRESENT};
}
