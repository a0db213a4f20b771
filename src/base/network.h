/* Which addresses belong to the public Internet. What is set from the web may reach only those. */
#ifndef QSOSYNC_BASE_NETWORK_H
#define QSOSYNC_BASE_NETWORK_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/text.h"

/* False for addresses of this machine, of its link, of private networks, of groups and of no use.
 * An IPv6 address that stands for an IPv4 address counts as that one. */
bool network_is_public(const struct sockaddr *address);

/* False for "localhost", for names below it, and for numbers that are not public, in every form
 * that the system reads, such as 127.1 and 0x7f000001; IPv6 with or without brackets. True for all
 * other names: the addresses that they resolve to decide later. */
bool network_may_be_public(struct text host);

#endif
