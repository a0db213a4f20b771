/* What the club says of itself, as the pages show it. */
#ifndef QSOSYNC_SITE_CLUB_H
#define QSOSYNC_SITE_CLUB_H

#include "store/club.h"
#include "worker/route.h"

/* The logbook's row; where it says nothing of the name, the text or the address, the setting of
 * that name. Without a logbook, the settings alone. It is read when a request asks first, and then
 * stays as it is; the exchange's arena owns it. */
const struct club *club_of(struct exchange *exchange);

#endif
