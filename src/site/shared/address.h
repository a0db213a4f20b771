/* The addresses that people enter into their programs, and the addresses in links that people
 * receive. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "base/api_key.h"
#include "worker/route.h"

/* Returns the service's own address, without a slash at the end: the operator's setting, or an
 * address from the request's scheme, host and prefix. The address is in the arena. An address made
 * from the request contains only printable ASCII without quotes and angle brackets. */
const char *address_of_service(struct exchange *exchange);

/* Returns the full address of a path of the service, such as "/api/v1", in the arena. */
const char *address_below(struct exchange *exchange, const char *path);

/* Returns the path of a station's page, such as "/log/14-AT0", in the arena. A slash in the
 * callsign is replaced, because a slash would end a segment of the path. */
const char *address_of_log_page(struct arena *arena, struct text callsign);

/* Creates, in the arena, an address that signs a member in once, and the fingerprint of the
 * address's secret. Only the fingerprint is stored. */
const char *address_make_link(struct exchange *exchange,
                              unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]);

#endif
