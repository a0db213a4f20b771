/* Who may use a route of the site. */
#ifndef QSOSYNC_SITE_ACCESS_H
#define QSOSYNC_SITE_ACCESS_H

#include "worker/route.h"

/* NULL where the route's access is given: for ACCESS_MEMBER the exchange's member and identity are
 * filled. Otherwise the error to answer with. Inside a read transaction. */
const struct error *access_check(struct exchange *exchange);

/* Notes the day on which an upload token was used. Outside any transaction. */
void access_finish(const struct exchange *exchange, const struct error *error);

#endif
