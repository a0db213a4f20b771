/* The spots that a client of the feed wants. */
#ifndef QSOSYNC_FEED_FILTER_H
#define QSOSYNC_FEED_FILTER_H

#include <stdbool.h>

#include "base/arena.h"
#include "qso/awards.h"
#include "qso/spot.h"
#include "store/log/spots.h"

#define FILTER_GRID_MAX 6

/* All zero accepts everything. */
struct filter {
    unsigned bands; /* 1 << enum band for each; 0: all */
    /* 1 << enum mode for each; 0: all, including spots without a mode */
    unsigned modes;
    char grid[FILTER_GRID_MAX + 1];       /* beginning of a locator; empty: any */
    char callsign[SPOT_CALLSIGN_MAX + 1]; /* beginning of the DX callsign; empty: any */
};

/* Sets "BAND", "MODE" or "GRID" from a client's value in upper case; an empty value clears it.
 * Returns false if the filter does not exist. *known: whether the value was understood; if not,
 * nothing changes. */
bool filter_set(struct filter *filter, const char *name, const char *value, bool *known);

/* Sets a filter from the value only: a band, a mode, or the beginning of a callsign. Returns false,
 * without a change, for anything else. */
bool filter_set_any(struct filter *filter, const char *value);

bool filter_passes(const struct filter *filter, const struct spot *spot);

/* The spots that are new for the log of a member whom the client has identified. */

/* All zero: no member, and every spot passes. */
struct needed_filter {
    struct feed_member member; /* id 0: nobody */
    bool is_counted;
    int64_t counted_revision; /* revision of the counted log */
    struct arena arena;
    struct awards awards;
};

/* Identifies the member by callsign and code. False: they do not belong to the same member, or the
 * store cannot be read; the previous state then remains. */
bool needed_identify(struct needed_filter *needed, struct store *store, struct text callsign,
                     struct text code);

/* Lets every spot pass from now on. */
void needed_end(struct needed_filter *needed);

/* Counts the log again if it has changed. Members who were disabled, or changed their password, are
 * no longer recognised. False: the log cannot be read. */
bool needed_renew(struct needed_filter *needed, struct store *store);

/* Whether the spot has a division, a square or a special station that the log lacks. */
bool needed_passes(const struct needed_filter *needed, const struct spot *spot);

#endif
