/* Announces members' spots to other clusters. */
#ifndef QSOSYNC_FEED_ANNOUNCER_H
#define QSOSYNC_FEED_ANNOUNCER_H

#include <stdint.h>

#include "base/arena.h"
#include "feed/cluster.h"
#include "store/log/spots.h"

struct announcer {
    const struct cluster *clusters; /* owned by the caller */
    int cluster_count;
    int64_t last_id; /* id of the last spot examined; -1: not known yet */
    int count;       /* spots examined in the current call */
    struct arena arena;
};

/* Announces new spots to every connected cluster to which the login was sent. The first call for a
 * logbook only finds the newest spot, so earlier spots are never announced. */
void announcer_run(struct announcer *announcer, struct store *store);

#endif
