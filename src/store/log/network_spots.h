/* The exchange with other DX clusters: their spots, and the consent of members to announce spots
 * there. */
#ifndef QSOSYNC_STORE_NETWORK_SPOTS_H
#define QSOSYNC_STORE_NETWORK_SPOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "store/log/spots.h"

struct store;

#define NETWORK_SOURCE_MAX 80
#define NETWORK_CALLSIGN_MAX 20
#define NETWORK_COMMENT_MAX 60 /* characters */
#define NETWORK_COMMENT_BYTES (3 * NETWORK_COMMENT_MAX)
#define NETWORK_SPOTS_KEPT 1000

/* A spot of another cluster. All texts end with a NUL. */
struct network_spot {
    char source[NETWORK_SOURCE_MAX + 1]; /* the cluster's address, without its port */
    char spotter[NETWORK_CALLSIGN_MAX + 1];
    char callsign[NETWORK_CALLSIGN_MAX + 1];
    char comment[NETWORK_COMMENT_BYTES + 1]; /* UTF-8; may be empty */
    int64_t frequency_hz;
    int64_t spotted_at_ms;
};

/* Stores the new spots. Spots of a station on a frequency within ten minutes are one spot,
 * regardless of their sources. Removes spots that are more than a day old, and the oldest beyond
 * NETWORK_SPOTS_KEPT. Runs its own transaction. */
enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count);

/* Lists the spots of the day before now_ms, newest first, as spots without a member, with their
 * source and comment. */
enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context);

/* Stores whether the member agrees that their spots are announced on other clusters, in a
 * transaction of its own. */
enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces);

#endif
