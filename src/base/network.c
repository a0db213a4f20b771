/* Reads addresses as front servers write them. An IPv4 address in IPv6 form (::ffff:192.0.2.1), as
 * dual-stack sockets report it, counts as an IPv4 address. */
#include "base/network.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

void network_of(const char *address, struct network *out)
{
    struct in6_addr ipv6;
    struct in_addr ipv4;
    *out = (struct network){.family = NETWORK_NO_ADDRESS};
    bool is_ipv6 = address && inet_pton(AF_INET6, address, &ipv6) == 1;
    bool is_ipv4 = address && inet_pton(AF_INET, address, &ipv4) == 1;
    if (is_ipv6 && IN6_IS_ADDR_V4MAPPED(&ipv6)) {
        memcpy(&ipv4, &ipv6.s6_addr[12], sizeof ipv4);
        is_ipv4 = true;
    }
    if (is_ipv4) {
        *out = (struct network){.number = ipv4.s_addr, .family = 4};
    } else if (is_ipv6) {
        memcpy(&out->number, &ipv6, sizeof out->number);
        out->family = 6;
    }
}
