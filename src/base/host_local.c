/* Distinguishes addresses of this machine and of private networks from all others, by value and
 * never as text. Does not look up names. The callers decide whether an address is permitted. */
#include "base/host_local.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/text.h"

bool host_is_this_machine(const struct host *host)
{
    struct in6_addr ipv6;
    uint32_t ipv4;
    if (host_read_ipv6(host->name, &ipv6))
        return IN6_IS_ADDR_LOOPBACK(&ipv6);
    if (host_read_ipv4(host->name, &ipv4))
        return ipv4 >> 24 == 127;
    return text_equals_ignoring_case(host->name, "localhost");
}

/* Returns whether the address is not a public unicast address (RFC 6890). Such addresses are "this
 * network", private, shared, loopback, link-local, protocol, benchmarking, multicast and future
 * addresses. */
static bool is_local_number(uint32_t ipv4)
{
    static const struct {
        uint32_t first;
        int bits;
    } nets[] = {{0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},
                {0xA9FE0000, 16}, {0xAC100000, 12}, {0xC0000000, 24}, {0xC0A80000, 16},
                {0xC6120000, 15}, {0xE0000000, 3}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        if ((ipv4 ^ nets[i].first) >> (32 - nets[i].bits) == 0)
            return true;
    return false;
}

/* Returns the offset of the IPv4 address that a NAT64 or 6to4 address contains; -1 for any other
 * address. */
static int find_ipv4(const uint8_t byte[16])
{
    static const uint8_t nat64[12] = {0, 0x64, 0xFF, 0x9B};
    if (memcmp(byte, nat64, sizeof nat64) == 0)
        return 12;
    return byte[0] == 0x20 && byte[1] == 0x02 ? 2 : -1;
}

/* Returns whether the address is not public. Only global unicast addresses (first three bits 001)
 * are public, except the range reserved for protocols (2001::/23). For a NAT64 or 6to4 address, the
 * IPv4 address decides. */
static bool is_local_ipv6(const struct in6_addr *ipv6)
{
    const uint8_t *byte = ipv6->s6_addr;
    const int at = find_ipv4(byte);
    uint32_t ipv4;
    if (at < 0)
        return byte[0] >> 5 != 1 || (byte[0] == 0x20 && byte[1] == 0x01 && byte[2] < 2);
    memcpy(&ipv4, byte + at, sizeof ipv4);
    return is_local_number(ntohl(ipv4));
}

bool host_is_local_address(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return is_local_number(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    return address->sa_family != AF_INET6 ||
           is_local_ipv6(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

bool host_is_local(const struct host *host)
{
    struct in6_addr ipv6;
    uint32_t ipv4;
    if (host_read_ipv6(host->name, &ipv6))
        return is_local_ipv6(&ipv6);
    if (host_read_ipv4(host->name, &ipv4))
        return is_local_number(ipv4);
    struct text last = host->name;
    if (last.length > 0 && last.bytes[last.length - 1] == '.')
        last.length--;
    const char *dot = memrchr(last.bytes, '.', last.length);
    return !dot || text_is_one_of(text_skip(last, (size_t)(dot + 1 - last.bytes)),
                                  "localhost local internal lan home arpa");
}
