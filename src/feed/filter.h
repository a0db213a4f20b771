/* The filters of a client, which select the spots that the client receives. */
#ifndef QSOSYNC_FEED_FILTER_H
#define QSOSYNC_FEED_FILTER_H

#include <stdbool.h>

#include "qso/spot.h"

#define FILTER_GRID_MAX 6

/* If all fields are zero, every spot passes. */
struct filter {
    unsigned bands; /* bit 1 << enum band for each band; 0: all bands */
    /* bit 1 << enum mode for each mode; 0: all spots, including spots without a mode */
    unsigned modes;
    char grid[FILTER_GRID_MAX + 1];       /* beginning of a locator; empty: any locator */
    char callsign[SPOT_CALLSIGN_MAX + 1]; /* beginning of the DX callsign; empty: any callsign */
};

/* Sets the filter "BAND", "MODE" or "GRID" to a client's value in upper case; an empty value clears
 * the filter. Returns false if there is no filter with this name. An invalid value changes nothing,
 * and *known becomes false. */
bool filter_set(struct filter *filter, const char *name, const char *value, bool *known);

/* Sets a filter that the form of the value identifies: a band, a mode, or the beginning of a
 * callsign. Returns false, without a change, for any other value. */
bool filter_set_any(struct filter *filter, const char *value);

/* Returns whether the spot passes all filters. */
bool filter_passes(const struct filter *filter, const struct spot *spot);

#endif
