/* The scheme and host of the address that the client requested, as the front server reports them.
 * Behind a proxy, the shipped configurations report the scheme and host of the proxy's own
 * address. */
#ifndef QSOSYNC_HTTP_ADDRESS_H
#define QSOSYNC_HTTP_ADDRESS_H

#include "base/host.h"
#include "http/request.h"

/* Reads the host in the request's Host header. Returns false if the header is missing or malformed.
 */
bool address_find_host(const struct request *request, struct host *out);

/* Returns whether the front server reports that the request came over TLS. */
bool address_is_encrypted(const struct request *request);

/* Returns scheme and host, such as "https://log.example.org:8443", in the arena. Returns NULL if
 * the host is not known. The client sends the Host header, so it is used only if it has the format
 * of a host. */
const char *address_find_origin(const struct request *request);

#endif
