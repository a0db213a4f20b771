/* The switch of a station's page. */
#ifndef QSOSYNC_SITE_LOG_PAGE_SWITCH_H
#define QSOSYNC_SITE_LOG_PAGE_SWITCH_H

#include "worker/route.h"

/* Writes the field "logPage" of an answer about the log of exchange->member: whether its page is
 * on, and the address with a QR code; null if the member is not a station. */
void log_page_write(struct exchange *exchange);

#endif
