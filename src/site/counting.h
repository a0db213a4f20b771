/* Which requests of browsers and upload programs are counted together by the request limit. */
#ifndef QSOSYNC_SITE_COUNTING_H
#define QSOSYNC_SITE_COUNTING_H

#include "worker/rate_limit.h"
#include "worker/route.h"

/* What a browser asks for that is signed in counts as its own; the spots, which pages ask for again
 * and again, count by address, apart and ten times as far; all else by address. */
void counting_choose(struct exchange *exchange, struct rate_count *count);

#endif
