/* Spots as rows of a table in HTML: station, time, frequency, mode, and spotter. */
#ifndef QSOSYNC_SITE_SPOT_ROWS_H
#define QSOSYNC_SITE_SPOT_ROWS_H

#include "site/public/spot_list.h"

/* Returns the rows of a list, in the arena. list->error is the error, or NULL. */
const char *spot_rows_of(struct spot_list *list);

/* Returns the rows of the newest spots on all bands, at most `most`, in the arena; "" without spots
 * or logbook. */
const char *spot_rows_newest(struct exchange *exchange, int64_t most);

#endif
