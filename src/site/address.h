/* The addresses that people type into their programs, and those of links that they are given. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "worker/route.h"

/* The service's own address, without a slash at the end: what the operator has said, or made from
 * the request's own scheme, host and prefix. In the arena; holds nothing but printable ASCII
 * without quotes and angle brackets where it was made from the request. */
const char *address_of_service(struct exchange *exchange);

/* The API's address, and the one for upload programs. */
const char *address_of_api(struct exchange *exchange);
const char *address_of_uploads(struct exchange *exchange);

/* The address of what is asked for at the service's own name, where the request has come by another
 * one, as an old one that still leads here. NULL: it has come by that name, or by a number or a
 * name of the machine itself, or no address is set. In the arena. */
const char *address_at_own_name(struct exchange *exchange);

/* Whether the front server says that the request came over TLS. */
bool address_is_encrypted(const struct request *request);

#endif
