/* Reads addresses as front servers write them. An IPv4 address that is mapped to IPv6, as sockets
 * for both kinds report it, counts as an IPv4 address. */
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
