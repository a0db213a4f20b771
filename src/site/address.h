/* The addresses that people enter into their programs, and those in links given to them. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "base/host.h"
#include "store/club.h"
#include "worker/route.h"

/* The host of the request's header Host. False: it has none that is well formed. */
bool address_find_host(const struct request *request, struct host *out);

/* The service's own address, without a slash at the end: what the operator has said, or made from
 * the request's own scheme, host and prefix. In the arena; holds nothing but printable ASCII
 * without quotes and angle brackets if it was made from the request. */
const char *address_of_service(struct exchange *exchange);

/* The full address of a path of the service, such as "/api/v1". In the arena. */
const char *address_below(struct exchange *exchange, const char *path);

/* A new address that signs a member in, once, and the fingerprint of its secret, which is all that
 * is stored. In the arena. */
const char *address_make_link(struct exchange *exchange,
                              unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]);

/* The address of what is asked for at the service's own name, if the request has come by another
 * one, as an old one that still leads here. NULL: it has come by that name, or by a number or a
 * name of the machine itself, or no address is set. In the arena. */
const char *address_at_own_name(struct exchange *exchange);

/* Whether the front server says that the request came over TLS. */
bool address_is_encrypted(const struct request *request);

/* What the club says of itself, as the pages show it. */

/* The logbook's row; if it says nothing of the name, the text or the address, the setting of
 * that name. Without a logbook, the settings alone. It is read when a request asks first, and then
 * stays as it is; the exchange's arena owns it. */
const struct club *club_of(struct exchange *exchange);

#endif
