/* The network whose requests are counted together: an IPv4 address, or an IPv6 /64, which belongs
 * to one household or machine. */
#ifndef QSOSYNC_BASE_NETWORK_H
#define QSOSYNC_BASE_NETWORK_H

#include <stdint.h>

#define NETWORK_NO_ADDRESS 1

/* Has no padding, because networks are compared with memcmp. */
struct network {
    uint64_t number; /* IPv6: the upper 64 bits; IPv4: the address */
    uint32_t family; /* 4, 6 or NETWORK_NO_ADDRESS, never 0 */
    uint32_t group;  /* group whose requests are counted separately; 0: no group */
};

/* Writes the network of an address, given as text, to *out. NULL and all invalid addresses (empty,
 * a socket's name, with a port or a zone) are one network. */
void network_of(const char *address, struct network *out);

#endif
