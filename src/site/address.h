/* The addresses that people type into their programs, and those of links that they are given. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "store/club.h"
#include "worker/route.h"

/* A host and a port as a header Host and the authority of an address write them. */
struct host {
    struct text name; /* a name, an IPv4 address, or an IPv6 address in its brackets */
    int64_t port;     /* -1: none is said */
};

/* Reads "host" or "host:port", the whole text: letters, digits, dots, hyphens and underscores, or
 * an IPv6 address in brackets (of RFC 3986, section 3.2.2, what names on a network are made of).
 * False for all else, a user's name before the host among them. The texts are views. */
bool address_read_host(struct text text, struct host *out);

/* The host of an address such as https://log.example.org:8080/club. False: it has none. */
bool address_host_of(const char *address, struct host *out);

/* Whether both are of one name, in any case. */
bool address_is_same_name(const struct host *one, const struct host *other);

/* That of the request's header Host. False: it has none that is well formed. */
bool address_find_host(const struct request *request, struct host *out);

/* localhost, 127.0.0.0/8 or ::1. */
bool address_is_loopback(const struct host *host);

/* The service's own address, without a slash at the end: what the operator has said, or made from
 * the request's own scheme, host and prefix. In the arena; holds nothing but printable ASCII
 * without quotes and angle brackets if it was made from the request. */
const char *address_of_service(struct exchange *exchange);

/* Where the service has this path, such as "/api/v1". In the arena. */
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
