/* Hosts, and addresses of the web: which name and port they have, and whether that is this machine.
 */
#ifndef QSOSYNC_BASE_HOST_H
#define QSOSYNC_BASE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/text.h"

/* A host and a port as a header Host and the authority of an address write them. */
struct host {
    struct text name; /* a name, an IPv4 address, or an IPv6 address in its brackets */
    int64_t port;     /* -1: none is said */
};

/* Reads "host" or "host:port", the whole text: letters, digits, dots, hyphens and underscores, or
 * an IPv6 address in brackets (of RFC 3986, section 3.2.2, what names on a network are made of).
 * False for all else, a user's name before the host among them. The texts are views. */
bool host_read(struct text text, struct host *out);

/* An address such as https://log.example.org:8080/club. */
struct web_address {
    bool is_encrypted; /* https; otherwise http */
    struct host host;
    struct text name; /* the address without its scheme */
};

/* False: it is neither https nor http, or its host cannot be read. The texts are views. */
bool host_read_address(struct text address, struct web_address *out);

/* Whether both are of one name, in any case. */
bool host_is_same_name(const struct host *one, const struct host *other);

/* localhost, ::1, or 127.0.0.0/8 in any form in which systems read it, such as 2130706433 and
 * 0x7f.1. A name that begins with one of these is another machine. */
bool host_is_this_machine(const struct host *host);

/* Whether it is an address of IPv4 or IPv6, and no name. */
bool host_is_number(const struct host *host);

/* Whether others on the Internet cannot mean the same machine by it: a name of one word, an address
 * of this machine, of its link or of a private network. */
bool host_is_local(const struct host *host);

/* The same for an address that a name resolves to. */
bool host_is_local_address(const struct sockaddr *address);

#endif
