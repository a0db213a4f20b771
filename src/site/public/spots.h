/* The newest spots, for the front page. */
#ifndef QSOSYNC_SITE_SPOTS_H
#define QSOSYNC_SITE_SPOTS_H

#include "worker/route.h"

/* The newest spots of all bands, up to this number, as rows of a table in HTML: station, time,
 * frequency, mode, and spotter. In the arena; "" without spots or logbook. */
const char *spot_rows_newest(struct exchange *exchange, int64_t most);

#endif
