/* The group in which the rate limit counts a request. */
#ifndef QSOSYNC_SITE_COUNTING_H
#define QSOSYNC_SITE_COUNTING_H

#include "worker/rate_limit.h"
#include "worker/route.h"

/* Chooses the group of a request. Requests for spots, which pages poll, are counted by address in a
 * separate group with ten times the limit. Other requests from a signed-in browser are counted by
 * session, and from another club's service by club. All other requests are counted by address. */
void counting_choose(struct exchange *exchange, struct rate_count *count);

#endif
