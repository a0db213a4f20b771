/* Finds the rules that ask for an alert about a spot. */
#ifndef QSOSYNC_STORE_ALERT_MATCH_H
#define QSOSYNC_STORE_ALERT_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "qso/spot.h"
#include "store/alerts/alert_notes.h"

struct store;

/* A spot, and the member who published it (0: another cluster). */
struct alert_spot {
    struct spot spot;
    int64_t member_id;
};

/* An alert that a rule asks for. The texts are in the arena. */
struct alert_match {
    const struct alert_spot *spot;
    int64_t member_id;
    struct text rule;
    int64_t pause;        /* minutes between two alerts about one station */
    int64_t hourly;       /* maximum number of alerts per hour */
    enum alert_held held; /* quiet hours and mutes are decided; the hour's limit is not */
};

struct alert_matches {
    struct arena *arena;
    struct alert_match *items;
    size_t count, capacity;
};

/* Adds the matches for these spots, at most one per member and spot. Reads only rules that name
 * something about a spot, and only the logs of members whose rules depend on them, once each. The
 * caller has begun a read transaction. */
enum store_result alert_match_spots(struct store *store, const struct alert_spot *spots,
                                    size_t count, int64_t now_ms, struct alert_matches *out);

#endif
