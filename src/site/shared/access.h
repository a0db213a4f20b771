/* Decides who may use a route of the site. */
#ifndef QSOSYNC_SITE_ACCESS_H
#define QSOSYNC_SITE_ACCESS_H

#include "worker/rate_limit.h"
#include "worker/route.h"

/* Checks whether the request may use its route. Returns NULL or the error to answer with. For
 * ACCESS_PEER, fills the exchange's identity; for ACCESS_MEMBER, ACCESS_LOG and ACCESS_OPERATOR,
 * also its member. Call this function inside a read transaction. */
const struct error *access_check(struct exchange *exchange);

/* Checks again, after a body has been read, whether the session, the grant to operate a station,
 * and the operator's role are still valid. Reading can take long, so each of them may have ended
 * meanwhile. Call this function outside any transaction. */
const struct error *access_check_again(struct exchange *exchange);

/* Returns NULL if the member has recently given the password, a passkey or an invitation in the
 * exchange's session, otherwise the error to answer with. */
const struct error *access_check_proof(const struct exchange *exchange);

/* Counts a request in a group that is counted by the hour, such as RATE_LIMIT_QUESTIONS. Returns
 * NULL, or the error to answer with if the visitor's address has used up its requests. */
const struct error *access_count_hourly(struct exchange *exchange, enum rate_limit_group group,
                                        int64_t most);

/* Fills the exchange's identity, for public pages that show who is signed in. Returns whether the
 * browser is signed in; the answer must then be private. */
bool access_find_session(struct exchange *exchange);

/* Records the day on which an upload token or a session was used. Call this function outside any
 * transaction. */
void access_finish(const struct exchange *exchange, const struct error *error);

#endif
