/* The switch for a station's page. */
#ifndef QSOSYNC_SITE_LOG_PAGE_SWITCH_H
#define QSOSYNC_SITE_LOG_PAGE_SWITCH_H

#include "worker/route.h"

/* Writes the field "logPage" of an answer about exchange->member's log: whether the station's page
 * is on, and the page's address with a QR code. The field is null if the member is not a station.
 */
void log_page_write(struct exchange *exchange);

#endif
