/* Publishes and lists spots of members' QSOs. network_spots.h has spots from other clusters. */
#ifndef QSOSYNC_STORE_SPOTS_H
#define QSOSYNC_STORE_SPOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"
#include "qso/spot.h"
#include "store/credentials.h"
#include "store/transaction.h"

struct read_column;
struct statement;
struct store;

/* maximum number of spots that a member may publish within a minute */
#define STORE_SPOTS_A_MINUTE 20

/* Receives a spot, whose texts are valid during the call. Returns false to end the list. */
typedef bool spot_visitor(void *context, const struct spot *spot);

/* Lists the spots whose numbers are less than `before` (INT64_MAX: all spots), newest first. */
enum store_result store_list_spots(struct store *store, int64_t before, spot_visitor *visit,
                                   void *context);

/* The conditions for spots in a list. */
struct spot_query {
    int64_t before_id; /* exclusive upper bound of the spots' numbers; INT64_MAX: all spots */
    int64_t not_before_ms;
    int64_t band, mode;             /* -1: any */
    int64_t from_hz, to_hz;         /* 0: any */
    int64_t division;               /* division of the station heard; 0: any division */
    struct match_callsign callsign; /* part of either callsign; empty: any callsign */
};

/* maximum number of spots that a query examines, unless the query selects all spots */
#define SPOTS_LOOKED_AT 2500

/* Lists the spots that could match the query, newest first, among the newest SPOTS_LOOKED_AT spots
 * whose numbers are less than before_id. The caller checks each spot again. If visit did not end
 * the list, the next query continues before *before_id, which is 0 if no older spot can match. */
enum store_result store_list_wanted_spots(struct store *store, const struct spot_query *query,
                                          spot_visitor *visit, void *context, int64_t *before_id);

/* Lists at most `limit` of the newest spots that the station with this callsign published. */
enum store_result store_list_spots_of_station(struct store *store, struct text callsign,
                                              int64_t limit, spot_visitor *visit, void *context);

/* Finds the number of the newest spot, or 0 if no spot exists. */
enum store_result store_find_last_spot(struct store *store, int64_t *id);

/* Lists the spots after the number `id` that were published at from_ms or later, oldest first.
 * Omits spots of members who had not yet agreed to announcements when the spot was published
 * (network_spots.h). */
enum store_result store_list_announced_spots(struct store *store, int64_t id, int64_t from_ms,
                                             spot_visitor *visit, void *context);

/* Visits the rows of a list that has these columns of struct spot. A spot with a source comes from
 * another cluster: its band is derived from its frequency, and its mode from its comment. */
enum store_result spots_visit(struct store *store, struct statement *list,
                              const struct read_column *columns, spot_visitor *visit,
                              void *context);

/* Stores in *room whether the member may publish another spot now, inside the open write
 * transaction. Deleted spots also count, because they have already been sent. */
enum store_result spots_have_room(struct transaction *transaction, int64_t member_id, bool *room);

/* Publishes the spot of a stored QSO, inside the open write transaction. The spotter is the station
 * callsign. If the station callsign belongs to another member, the spotter is the member's own
 * callsign. */
enum store_result spots_publish(struct transaction *transaction, const struct qso *qso,
                                const struct identity *member);

#endif
