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

/* Returns whether the host cannot mean the same machine everywhere on the Internet: a single-word
 * name, or a loopback, link-local or private address. */
bool host_is_local(const struct host *host);

/* Returns whether an address is a loopback, link-local or private address. The address is the
 * result of looking up a name. */
bool host_is_local_address(const struct sockaddr *address);

#endif
