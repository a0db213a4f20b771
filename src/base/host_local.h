/* Recognises hosts on this machine and in private networks. Callers decide where a program may
 * connect. */
#ifndef QSOSYNC_BASE_HOST_LOCAL_H
#define QSOSYNC_BASE_HOST_LOCAL_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/host.h"

/* Returns whether the host is localhost, ::1 or in 127.0.0.0/8. A name that only begins like one of
 * these hosts is another machine. */
bool host_is_this_machine(const struct host *host);

/* Returns whether the host cannot mean the same machine everywhere on the Internet: a name without
 * a dot, a name in a local domain such as .local, or an address for which host_is_local_address
 * would return true. */
bool host_is_local(const struct host *host);

/* Returns whether an address, the result of looking up a name, is not a public unicast address.
 * Such addresses are loopback, link-local, private, multicast and reserved addresses, and those of
 * other families. */
bool host_is_local_address(const struct sockaddr *address);

#endif
