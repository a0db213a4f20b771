/* The page that sent a request: one of this service's pages, or a page on another site. */
#ifndef QSOSYNC_SITE_ORIGIN_H
#define QSOSYNC_SITE_ORIGIN_H

#include "worker/route.h"

/* Returns whether an origin (https://host, perhaps with a port) is the service's own. */
bool origin_is_own(struct exchange *exchange, const char *origin);

/* Returns NULL if the browser's headers show that the request comes from one of our pages,
 * otherwise the error to answer with. Every route with which pages change something needs this
 * check, because browsers also send cookies with requests from other sites' pages. Without the
 * check, a stranger's page could sign somebody in under the stranger's name. */
const struct error *origin_check(struct exchange *exchange);

#endif
