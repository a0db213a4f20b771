/* Stores spots from other DX clusters, and members' consent to having their own spots announced
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
#define NETWORK_COMMENT_MAX 60 /* maximum length in characters */
#define NETWORK_COMMENT_BYTES (3 * NETWORK_COMMENT_MAX)
#define NETWORK_SPOTS_KEPT 1000

/* A spot from another cluster. Each text ends with a NUL. */
struct network_spot {
    char source[NETWORK_SOURCE_MAX + 1]; /* address of the cluster, without its port */
    char spotter[NETWORK_CALLSIGN_MAX + 1];
    char callsign[NETWORK_CALLSIGN_MAX + 1];
    char comment[NETWORK_COMMENT_BYTES + 1]; /* UTF-8 text, which can be empty */
    int64_t frequency_hz;
    int64_t spotted_at_ms;
};

/* Stores the new spots. Spots of the same station on the same frequency within ten minutes count as
 * one spot, regardless of their sources. Omits our members' own spots that another cluster has sent
 * back. Removes spots that are more than a day old, and the oldest spots beyond NETWORK_SPOTS_KEPT.
 * Runs its own transaction. */
enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count);

/* Lists the spots from the 24 hours before now_ms, newest first. Each spot has a source and a
 * comment, but no member. */
enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context);

/* Stores whether the member agrees to having their spots announced on other clusters. Runs its own
 * transaction. */
enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces);

#endif
