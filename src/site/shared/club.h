/* The club's data for pages. */
#ifndef QSOSYNC_SITE_CLUB_H
#define QSOSYNC_SITE_CLUB_H

#include "store/club/club.h"
#include "worker/route.h"

/* Returns the logbook's row; a missing name, text or address comes from the settings. Without a
 * logbook, returns only the settings. The row is read on the first call in a request, and later
 * calls return the same row. The exchange's arena owns the row. */
const struct club *club_of(struct exchange *exchange);

#endif
