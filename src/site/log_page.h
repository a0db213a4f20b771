/* The page of a station's log, for everybody. */
#ifndef QSOSYNC_SITE_LOG_PAGE_H
#define QSOSYNC_SITE_LOG_PAGE_H

#include "worker/route.h"

/* The field "logPage" of an answer about the log of exchange->member: whether its page is on, and
 * the address with a QR code; null if the member is no station. */
enum store_result log_page_write(struct exchange *exchange);

#endif
