/* The addresses that people enter into their programs, and those in links given to them. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "base/host.h"
#include "store/club/club.h"
#include "worker/route.h"

/* The host in the request's Host header. False: the header is missing or malformed. */
bool address_find_host(const struct request *request, struct host *out);

/* The service's own address, without a slash at the end: the operator's setting, or made from the
 * request's scheme, host and prefix. In the arena. An address made from the request holds only
 * printable ASCII without quotes and angle brackets. */
const char *address_of_service(struct exchange *exchange);

/* The full address of a path of the service, such as "/api/v1". In the arena. */
const char *address_below(struct exchange *exchange, const char *path);

/* A new address that signs a member in once, and the fingerprint of its secret. Only the
 * fingerprint is stored. In the arena. */
const char *address_make_link(struct exchange *exchange,
                              unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]);

/* The requested address under the service's own name, if the request used another name, such as an
 * old one that still works. NULL: it used that name, a number or a name of the machine itself, or
 * no address is set. In the arena. */
const char *address_at_own_name(struct exchange *exchange);

/* Whether the front server says that the request came over TLS. */
bool address_is_encrypted(const struct request *request);

/* The club's data, as the pages show it. */

/* The logbook's row; a missing name, text or address comes from the settings. Without a logbook,
 * only the settings count. It is read at the first call in a request and then stays the same; the
 * exchange's arena owns it. */
const struct club *club_of(struct exchange *exchange);

#endif
