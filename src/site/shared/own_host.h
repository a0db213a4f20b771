/* The service's own host name. */
#ifndef QSOSYNC_SITE_OWN_HOST_H
#define QSOSYNC_SITE_OWN_HOST_H

#include "worker/route.h"

/* Redirects to the page at the service's own name, and returns true, if a person requests a page at
 * another name, where the session's cookie does not work. Programs are served at any name. */
bool own_host_redirect(struct exchange *exchange);

#endif
