/* Members who may operate a station. */
#ifndef QSOSYNC_STORE_GRANTS_H
#define QSOSYNC_STORE_GRANTS_H

#include "store/people/members.h"

struct grant {
    int64_t station_id, member_id;
    struct text station, member; /* callsigns */
    int64_t granted_at_ms;
    int64_t until_ms; /* 0: no end is set */
    int64_t ended_ms; /* when it ended; 0: it holds */
};
typedef void grant_visitor(void *context, const struct grant *grant);

/* Allows a member to operate a station until until_ms (0: without an expiry). An existing grant
 * gets the new expiry. STORE_REFUSED: the station is not a station, or the member is a station.
 * Runs its own transaction. */
enum store_result store_grant(struct store *store, int64_t station_id, int64_t member_id,
                              int64_t until_ms);

/* Revokes a grant, and the keys and tokens that the member created for the station. Sessions of the
 * member can no longer write there. STORE_NONE: no such grant is valid. Runs its own transaction.
 */
enum store_result store_end_grant(struct store *store, int64_t station_id, int64_t member_id);

/* Lists all grants of a station, or to a member, including those that have ended. The texts are
 * valid during the call. */
enum store_result store_list_grants(struct store *store, int64_t id, int64_t now_ms,
                                    grant_visitor *visit, void *context);

#endif
