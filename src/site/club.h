/* What the club says of itself, as the pages show it. */
#ifndef QSOSYNC_SITE_CLUB_H
#define QSOSYNC_SITE_CLUB_H

#include "store/club.h"
#include "worker/route.h"

/* The logbook's row; where it says nothing of the name, the text or the address, the setting of
 * that name. Without a logbook, the settings alone. The texts are in the arena, or the settings'
 * own. */
void club_read(struct exchange *exchange, struct club *club);

#endif
