/* Hosts and web addresses: their name and port, and whether they refer to this machine. */
#ifndef QSOSYNC_BASE_HOST_H
#define QSOSYNC_BASE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/text.h"

/* A host and a port, as written in a Host header or in the authority of an address. */
struct host {
    struct text name; /* a name, an IPv4 address, or an IPv6 address in its brackets */
    int64_t port;     /* -1: without a port */
};

/* Reads the whole text as "host" or "host:port". A host is an IPv6 address in brackets or a name of
 * letters, digits, dots, hyphens and underscores. Network
 * names need no more of RFC 3986, section 3.2.2. False for any other text, such as a host with a
 * user name. The texts are views. */
bool host_read(struct text text, struct host *out);

/* An address such as https://log.example.org:8080/club. */
struct web_address {
    bool is_encrypted; /* https; false: http */
    struct host host;
    struct text name; /* the address without its scheme */
};

/* False: the scheme is neither https nor http, or the host cannot be read. The texts are views. */
bool host_read_address(struct text address, struct web_address *out);

/* Whether both have the same name, ignoring case. */
bool host_is_same_name(const struct host *one, const struct host *other);

/* Whether the host is localhost, ::1 or in 127.0.0.0/8. Every form that systems accept counts, such
 * as 2130706433. A name that only begins like one of them is another machine. */
bool host_is_this_machine(const struct host *host);

/* Whether the host is an IPv4 or IPv6 address rather than a name. */
bool host_is_number(const struct host *host);

/* Whether the host cannot mean the same machine to others on the Internet: a single-word name, or a
 * loopback, link-local or private address. */
bool host_is_local(const struct host *host);

/* The same for an address that a name resolves to. */
bool host_is_local_address(const struct sockaddr *address);

#endif
