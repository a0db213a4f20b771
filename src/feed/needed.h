/* Selects the spots that are new for the log of a member whom the client has identified. */
#ifndef QSOSYNC_FEED_NEEDED_H
#define QSOSYNC_FEED_NEEDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/awards.h"
#include "qso/spot.h"
#include "store/log/feed_members.h"
#include "store/log/spots.h"

/* All zero: no member is identified, and every spot passes. */
struct needed_filter {
    struct feed_member member; /* id 0: not identified */
    bool is_counted;
    int64_t counted_revision; /* revision of the counted log */
    struct arena arena;
    struct awards awards;
};

/* Identifies the member by callsign and code. Returns false, without a change, if they do not
 * belong to the same member, or if the store cannot be read. */
bool needed_identify(struct needed_filter *needed, struct store *store, struct text callsign,
                     struct text code);

/* Forgets the member, so that every spot passes. */
void needed_end(struct needed_filter *needed);

/* Counts the log again if it has changed. Forgets members who were disabled or have changed their
 * password. Returns false if the log cannot be read. */
bool needed_renew(struct needed_filter *needed, struct store *store);

/* Returns whether the spot has a division, a square or a special station that the log lacks. */
bool needed_passes(const struct needed_filter *needed, const struct spot *spot);

#endif
