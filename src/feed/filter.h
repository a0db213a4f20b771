/* Which spots a client of the feed wants. */
#ifndef QSOSYNC_FEED_FILTER_H
#define QSOSYNC_FEED_FILTER_H

#include <stdbool.h>

#include "qso/spot.h"

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

bool filter_equals(const struct filter *a, const struct filter *b);

bool filter_passes(const struct filter *filter, const struct spot *spot);

#endif
