/* Hosts and web addresses: names, ports and numeric addresses. */
#ifndef QSOSYNC_BASE_HOST_H
#define QSOSYNC_BASE_HOST_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* A host and a port, as written in a Host header or in the authority of an address. */
struct host {
    struct text name; /* a name, an IPv4 address, or an IPv6 address in brackets */
    int64_t port;     /* -1: no port */
};

/* Reads the whole text as "host" or "host:port". A host is an IPv6 address in brackets, or a name
 * of letters, digits, dots, hyphens and underscores. Names in networks need no other characters of
 * RFC 3986, section 3.2.2. Returns false for any other text, such as a host with a user name. The
 * texts in *out are views. */
bool host_read(struct text text, struct host *out);

/* A web address such as https://log.example.org:8080/club. */
struct web_address {
    bool is_encrypted; /* whether the scheme is https */
    struct host host;
    struct text name; /* the address without its scheme */
};

/* Reads a web address. Returns false if its scheme is neither https nor http, or if its host cannot
 * be read. The texts in *out are views. */
bool host_read_address(struct text address, struct web_address *out);

/* Returns whether both hosts have the same name, ignoring case. */
bool host_is_same_name(const struct host *one, const struct host *other);

/* Read the name as a number: an IPv6 address in brackets, or an IPv4 address in host byte order.
 * Every format that systems accept is accepted, such as 2130706433 for 127.0.0.1. Return false for
 * any other name. */
bool host_read_ipv6(struct text name, struct in6_addr *out);
bool host_read_ipv4(struct text name, uint32_t *out);

/* Returns whether the host is an IPv4 or IPv6 address rather than a name. */
bool host_is_number(const struct host *host);

#endif
