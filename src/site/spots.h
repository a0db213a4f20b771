/* The newest spots, for the front page. */
#ifndef QSOSYNC_SITE_SPOTS_H
#define QSOSYNC_SITE_SPOTS_H

#include "site/routes.h"

/* At most so many of all bands, newest first, as rows of a table in HTML: station, time, frequency,
 * mode, and who heard it. In the arena; "" if there are none, or no logbook. */
const char *spot_rows_newest(struct exchange *exchange, int64_t most);

#endif
