/* Announces members' spots to other clusters. The store selects spots of members who agreed to
 * this, and never selects a spot that came from a cluster. */
#include "feed/announcer.h"

#include "base/clock.h"

#define ANNOUNCED_AGE_MS 600000 /* older spots are no longer announced */
#define ANNOUNCED_MAX 5         /* maximum number of spots per call to announcer_run */

/* Announces a spot as the club's station, with the member's callsign in the comment, because
 * clusters accept "DX BY" only from a few stations. Returns false when enough spots were examined.
 */
static bool announce(void *context, const struct spot *spot)
{
    struct announcer *announcer = context;
    char spotter[SPOT_CALLSIGN_MAX + 1], callsign[SPOT_CALLSIGN_MAX + 1];
    char comment[SPOT_COMMENT_MAX + 1];
    if (announcer->count++ == ANNOUNCED_MAX)
        return false;
    announcer->last_id = spot->id;
    if (spot->band != BAND_ELEVEN_METERS || spot->frequency_hz == 0 ||
        !spot_format_callsign(spot->spotter, spotter) ||
        !spot_format_callsign(spot->dx_callsign, callsign))
        return true;
    spot_format_comment(spot, comment, sizeof comment);
    const char *line = arena_print(&announcer->arena, "DX %.1f %s by %s %s",
                                   (double)spot->frequency_hz / 1000.0, callsign, spotter, comment);
    for (int i = 0; i < announcer->cluster_count; i++)
        if (announcer->clusters[i].is_logged_in && announcer->clusters[i].socket >= 0)
            cluster_say(&announcer->clusters[i], text_of(line));
    return true;
}

void announcer_run(struct announcer *announcer, struct store *store)
{
    bool has_listener = false;
    for (int i = 0; i < announcer->cluster_count; i++)
        has_listener |= announcer->clusters[i].socket >= 0 && announcer->clusters[i].is_logged_in;
    arena_reset(&announcer->arena);
    announcer->count = 0;
    if (announcer->last_id < 0)
        store_find_last_spot(store, &announcer->last_id);
    else if (has_listener)
        store_list_announced_spots(store, announcer->last_id, clock_wall_ms() - ANNOUNCED_AGE_MS,
                                   announce, announcer);
}
