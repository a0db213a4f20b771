/* Spots: those that members publish of their QSOs, and those of other clusters; and their readers
 * at the cluster feed. */
#ifndef QSOSYNC_STORE_SPOTS_H
#define QSOSYNC_STORE_SPOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "qso/match_callsign.h"
#include "qso/spot.h"
#include "store/transaction.h"

struct statement;

#define STORE_SPOTS_A_MINUTE 20 /* spots that a member may publish in any minute */

/* Receives each spot of a list. Its texts are valid during the call; false ends the list. */
typedef bool spot_visitor(void *context, const struct spot *spot);

/* Lists the spots with lower numbers than `before` (INT64_MAX: all), newest first. */
enum store_result store_list_spots(struct store *store, int64_t before, spot_visitor *visit,
                                   void *context);

/* The conditions for spots in a list. */
struct spot_query {
    int64_t before_id; /* published before the spot of this number; INT64_MAX: all */
    int64_t not_before_ms;
    int64_t band, mode;             /* -1: any */
    int64_t from_hz, to_hz;         /* 0: any */
    int64_t division;               /* division of the station heard; 0: any */
    struct match_callsign callsign; /* a part of either callsign; empty: any */
};

/* Lists the spots that may match the query, newest first, among the newest SPOTS_LOOKED_AT before
 * its number; the caller checks them again. If all of them were visited, the list continues before
 * *before_id; 0: nothing older can match. A query for all spots has no such limit. */
#define SPOTS_LOOKED_AT 2500
enum store_result store_list_wanted_spots(struct store *store, const struct spot_query *query,
                                          spot_visitor *visit, void *context, int64_t *before_id);

/* The newest spots that the station of this callsign has published. */
enum store_result store_list_spots_of_station(struct store *store, struct text callsign,
                                              int64_t limit, spot_visitor *visit, void *context);

/* -- For other files of the store -------------------------------------------------------------- */

/* Whether the member may publish another spot now, inside the open write transaction. Spots that
 * were deleted since count: they have been sent. */
enum store_result spots_have_room(struct transaction *transaction, int64_t member_id, bool *room);

/* Publishes the spot of a member's QSO that has its id, inside the open write transaction. The
 * spotter is the station callsign, unless that is another member's. */
enum store_result spots_publish(struct transaction *transaction, const struct qso *qso,
                                const struct identity *member);

/* -- Spots of other clusters ------------------------------------------------------------------- */

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

/* Stores the new spots: the same station on the same frequency within ten minutes is the same spot,
 * regardless of its source. Removes spots that are more than a day old, and the oldest beyond
 * NETWORK_SPOTS_KEPT. Runs its own transaction. */
enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count);

/* Lists the spots of the day before now_ms, newest first, as spots without a member, with their
 * source and comment. The mode is the first word of the comment. */
enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context);

/* -- Out --------------------------------------------------------------------------------------- */

/* Whether the member agrees that spots are announced on other clusters. Runs its own transaction.
 */
enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces);

/* The number of the newest spot; 0: no spots. */
enum store_result store_find_last_spot(struct store *store, int64_t *id);

/* Spots after this one and not before this time, of members who had agreed then, oldest first. */
enum store_result store_list_announced_spots(struct store *store, int64_t id, int64_t from_ms,
                                             spot_visitor *visit, void *context);

/* -- Members at the cluster feed --------------------------------------------------------------- */

/* Clients of the feed identify themselves with a code. The feed is not encrypted and asks for no
 * password, so the code only selects the log in which a spot must be new. */
#define FEED_CODE_LENGTH 16 /* hexadecimal digits */

struct feed_member {
    int64_t id;
    int64_t log_revision;       /* stamp of the last write to the member's log */
    int64_t password_set_at_ms; /* with another password comes another code */
};

/* The member's code, in upper case, with a NUL. Runs its own transaction, because it creates the
 * secret behind the code if it does not exist yet. */
enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1]);

/* Finds the active member with this callsign and this code. STORE_NONE: no such member. */
enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out);

/* Updates the revision. STORE_NONE: the member is disabled or deleted, or has set another password
 * since. */
enum store_result store_renew_feed_member(struct store *store, struct feed_member *member);

#endif
