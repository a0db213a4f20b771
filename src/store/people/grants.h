/* Stores which members may operate a station. */
#ifndef QSOSYNC_STORE_GRANTS_H
#define QSOSYNC_STORE_GRANTS_H

#include "store/people/members.h"

struct grant {
    int64_t station_id, member_id;
    struct text station, member; /* callsigns */
    int64_t granted_at_ms;
    int64_t until_ms; /* expiry of the grant; 0: none */
    int64_t ended_ms; /* time at which the grant ended; 0: the grant is valid */
};
typedef void grant_visitor(void *context, const struct grant *grant);

/* Allows a member to operate a station until until_ms (0: without an expiry). An existing grant
 * gets the new expiry. Returns STORE_REFUSED if station_id is not a station, or if the member is a
 * station. Runs its own transaction. */
enum store_result store_grant(struct store *store, int64_t station_id, int64_t member_id,
                              int64_t until_ms);

/* Revokes a grant, and the keys and tokens that the member created for the station. The member's
 * sessions can no longer write to the station's log. Returns STORE_NONE if the member has no valid
 * grant for the station. Runs its own transaction. */
enum store_result store_end_grant(struct store *store, int64_t station_id, int64_t member_id);

/* Lists all grants for a station or a member, including grants that have ended. The texts are valid
 * during the call to visit. */
enum store_result store_list_grants(struct store *store, int64_t id, int64_t now_ms,
                                    grant_visitor *visit, void *context);

#endif
