/* Whether a page of this service has sent a request. */
#ifndef QSOSYNC_SITE_ORIGIN_H
#define QSOSYNC_SITE_ORIGIN_H

#include "worker/route.h"

/* NULL where the request comes from one of our pages, by the headers that browsers send; otherwise
 * the error to answer with. Needed for whatever changes something, because browsers send cookies
 * with requests of other pages, too, and a stranger's page could sign somebody in under the
 * stranger's name. */
const struct error *origin_check(struct exchange *exchange);

#endif
