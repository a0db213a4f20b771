/* The service's own host name. */
#ifndef QSOSYNC_SITE_OWN_HOST_H
#define QSOSYNC_SITE_OWN_HOST_H

#include "worker/route.h"

/* Redirects a person who requests a page at another public name to the service's own name. Browsers
 * send the session's cookie only to the service's own name. Returns whether the request was
 * redirected. Programs can use any name. */
bool own_host_redirect(struct exchange *exchange);

#endif
