/* Recognises hosts on this machine and in private networks. Callers decide where a program may
 * connect. */
#ifndef QSOSYNC_BASE_HOST_LOCAL_H
#define QSOSYNC_BASE_HOST_LOCAL_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/host.h"

/* Returns whether the host is localhost, ::1 or in 127.0.0.0/8. A name that only begins like these
 * is another machine. */
bool host_is_this_machine(const struct host *host);

/* Returns whether the host cannot mean the same machine to others on the Internet: a single-word
 * name, or a loopback, link-local or private address. */
bool host_is_local(const struct host *host);

/* Returns whether an address that a name resolves to is a loopback, link-local or private address.
 */
bool host_is_local_address(const struct sockaddr *address);

#endif
