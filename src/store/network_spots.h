/* Spots that other clusters sent: shown on the spots page, and no member's. */
#ifndef QSOSYNC_STORE_NETWORK_SPOTS_H
#define QSOSYNC_STORE_NETWORK_SPOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "store/spots.h"

struct store;

#define NETWORK_SOURCE_MAX 80
#define NETWORK_CALLSIGN_MAX 20
#define NETWORK_COMMENT_MAX 60 /* characters */
#define NETWORK_COMMENT_BYTES (3 * NETWORK_COMMENT_MAX)
#define NETWORK_SPOTS_KEPT 1000

/* All texts end with a NUL. */
struct network_spot {
    char source[NETWORK_SOURCE_MAX + 1]; /* the cluster's address, without its port */
    char spotter[NETWORK_CALLSIGN_MAX + 1];
    char callsign[NETWORK_CALLSIGN_MAX + 1];
    char comment[NETWORK_COMMENT_BYTES + 1]; /* UTF-8; may be empty */
    int64_t frequency_hz;
    int64_t spotted_at_ms;
};

/* Keeps those that were not there: the same station on the same frequency within ten minutes is the
 * same spot, whoever sent it. Spots of a day before now_ms go, and the oldest beyond
 * NETWORK_SPOTS_KEPT. Runs its own transaction. */
enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count, int64_t now_ms);

/* The spots of the day before now_ms, newest first, as spots of no member with their source and
 * comment. The mode is the one that the comment begins with. */
enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context);

/* -- Out --------------------------------------------------------------------------------------- */

/* Whether the member agreed that spots are announced on other clusters; since when, 0: no. */
enum store_result store_read_announcer(struct store *store, int64_t member_id, int64_t *since_ms);

/* Runs its own transaction. */
enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces);

/* The number of the newest spot; 0: there is none. */
enum store_result store_find_last_spot(struct store *store, int64_t *id);

/* Spots after this one and not before this time, of members who had agreed then, oldest first. */
enum store_result store_list_announced_spots(struct store *store, int64_t id, int64_t from_ms,
                                             spot_visitor *visit, void *context);

#endif
