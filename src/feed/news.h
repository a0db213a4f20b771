/* Which spots are new in the log of a member who has said who that is. */
#ifndef QSOSYNC_FEED_NEWS_H
#define QSOSYNC_FEED_NEWS_H

#include <stdbool.h>

#include "base/arena.h"
#include "qso/awards.h"
#include "qso/spot.h"
#include "store/feed_members.h"

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

/* Counts the log again where it has changed. A member who is disabled, or has set another password,
 * is nobody any more. False: it cannot be read. */
bool news_renew(struct news *news, struct store *store);

/* A division, a square or a special station that the log has not. */
bool news_passes(const struct news *news, const struct spot *spot);

#endif
