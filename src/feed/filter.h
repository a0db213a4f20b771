/* Which spots a client of the feed wants. */
#ifndef QSOSYNC_FEED_FILTER_H
#define QSOSYNC_FEED_FILTER_H

#include <stdbool.h>

#include "base/arena.h"
#include "qso/awards.h"
#include "qso/spot.h"
#include "store/spots.h"

#define FILTER_GRID_MAX 6

/* All zero passes everything. */
struct filter {
    unsigned bands;                 /* 1 << enum band for each; 0: all */
    unsigned modes;                 /* 1 << enum mode for each; 0: all, spots without a mode too */
    char grid[FILTER_GRID_MAX + 1]; /* how a locator begins; empty: any */
    char callsign[SPOT_CALLSIGN_MAX + 1]; /* how the DX callsign begins; empty: any */
};

/* Sets one of "BAND", "MODE" and "GRID", by what clients write in upper case; an empty value clears
 * it. Returns false for a filter that does not exist. *known: the value was understood; otherwise
 * nothing changed. */
bool filter_set(struct filter *filter, const char *name, const char *value, bool *known);

/* The same by the value alone: a band, a mode, or how a callsign begins. Returns false, and nothing
 * changed, for anything else. */
bool filter_set_any(struct filter *filter, const char *value);

bool filter_passes(const struct filter *filter, const struct spot *spot);

/* Which spots are new in the log of a member who has said who that is. */

/* All zero: nobody, and every spot passes. */
struct news {
    struct feed_member member; /* id 0: nobody */
    bool is_counted;
    int64_t counted_revision; /* of the log that was counted */
    struct arena arena;
    struct awards awards;
};

/* The client says whose log it is. False: the callsign and the code are not of one member, or
 * cannot be read; what held before holds on. */
bool news_identify(struct news *news, struct store *store, struct text callsign, struct text code);

/* Every spot passes from now on. */
void news_end(struct news *news);

/* Counts the log again if it has changed. A member who was disabled, or set another password,
 * is no longer recognised. False: the log cannot be read. */
bool news_renew(struct news *news, struct store *store);

/* Whether the spot has a division, a square or a special station that is not in the log. */
bool news_passes(const struct news *news, const struct spot *spot);

#endif
