/* The people who may use a route of the site. */
#ifndef QSOSYNC_SITE_ACCESS_H
#define QSOSYNC_SITE_ACCESS_H

#include "worker/route.h"

/* NULL if access to the route is granted: for ACCESS_MEMBER, ACCESS_LOG and ACCESS_OPERATOR the
 * exchange's member and identity are filled. Otherwise the error to answer with. Inside a read
 * transaction. */
const struct error *access_check(struct exchange *exchange);

/* Repeats the check for a route that has read a body, which may have taken long: the session or the
 * grant to operate a station may have ended meanwhile. Outside any transaction. */
const struct error *access_check_again(struct exchange *exchange);

/* NULL if the member has recently given the password or a passkey in the exchange's session. */
const struct error *access_check_proof(const struct exchange *exchange);

/* For public pages that show who is signed in: fills the exchange's identity if the browser is
 * signed in. The answer must then be private. */
bool access_find_session(struct exchange *exchange);

/* Records the day on which an upload token or a session was used. Outside any transaction. */
void access_finish(const struct exchange *exchange, const struct error *error);

#endif
