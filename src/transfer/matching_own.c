/* Reads callsigns from the store, and removes prefixes and suffixes. */
#include "transfer/matching_own.h"

#include "qso/match_callsign.h"
#include "store/log/known.h"

struct callsigns {
    struct arena *arena;
    struct match_callsign *list;
    size_t count, capacity;
};

static void add_callsign(void *context, struct text callsign)
{
    struct callsigns *callsigns = context;
    struct match_callsign normal;
    callsigns->list = arena_grow(callsigns->arena, callsigns->list, callsigns->count,
                                 &callsigns->capacity, sizeof *callsigns->list);
    match_normalise_callsign(callsign, &normal);
    match_base_callsign(&normal, &callsigns->list[callsigns->count++]);
}

enum store_result matching_read_own(struct store *store, int64_t member_id, struct arena *arena,
                                    struct contact_own *out)
{
    struct callsigns callsigns = {.arena = arena};
    enum store_result result = store_list_own_callsigns(store, member_id, add_callsign, &callsigns);
    *out = (struct contact_own){callsigns.list, callsigns.count};
    return result;
}
