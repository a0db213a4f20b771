/* The service's own host name. */
#ifndef QSOSYNC_SITE_OWN_HOST_H
#define QSOSYNC_SITE_OWN_HOST_H

#include "worker/route.h"

/* Redirects a person who requests a page at another host name to the service's own name, and then
 * returns true: the session's cookie works only there. Programs can use any name. */
bool own_host_redirect(struct exchange *exchange);

#endif
