/* Selects the spots that are new to the log of a member whom the client has identified. */
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

/* If all fields are zero, no member is identified, and every spot passes. */
struct needed_filter {
    struct feed_member member; /* the identified member; id 0: no member is identified */
    bool is_counted;
    int64_t counted_revision; /* revision of the counted log */
    struct arena arena;
    struct awards awards;
};

/* Identifies the member by callsign and code. Returns false, without a change, if the callsign and
 * the code do not belong to the same member, or if the store cannot be read. */
bool needed_identify(struct needed_filter *needed, struct store *store, struct text callsign,
                     struct text code);

/* Forgets the member, so that every spot passes. */
void needed_end(struct needed_filter *needed);

/* Counts the log again if it has changed. Forgets a member who was disabled or has changed their
 * password. Returns false if the log cannot be read. */
bool needed_renew(struct needed_filter *needed, struct store *store);

/* Returns whether the spot has a division, a square or a special station that is not in the
 * member's log. If no member is identified, every spot passes. */
bool needed_passes(const struct needed_filter *needed, const struct spot *spot);

#endif
