/* Tells addresses of the public Internet from those of this machine and of private networks, by the
 * registries of RFC 6890. The networks for documentation count as public: nobody is there. Resolves
 * no names; that is left to those who connect. */
#include "base/network.h"

#include <arpa/inet.h>
#include <string.h>

#define HOST_BYTES 254 /* of a name in the DNS, with a NUL */

static const struct {
    uint32_t network;
    int bits;
} reserved[] = {
    {0x00000000, 8},  /* this network */
    {0x0A000000, 8},  /* private */
    {0x64400000, 10}, /* shared by the customers of a provider */
    {0x7F000000, 8},  /* loopback */
    {0xA9FE0000, 16}, /* link-local */
    {0xAC100000, 12}, /* private */
    {0xC0000000, 24}, /* protocols */
    {0xC0A80000, 16}, /* private */
    {0xC6120000, 15}, /* benchmarks */
    {0xE0000000, 3},  /* groups, and what is not assigned */
};

static bool is_public_v4(uint32_t address)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (((address ^ reserved[i].network) >> (32 - reserved[i].bits)) == 0)
            return false;
    return true;
}

/* Where the IPv4 address that it stands for begins; -1: it stands for none. */
static int find_v4(const unsigned char bytes[16])
{
    static const unsigned char mapped[12] = {[10] = 0xFF, [11] = 0xFF},
                               nat64[12] = {0, 0x64, 0xFF, 0x9B};
    if (memcmp(bytes, mapped, sizeof mapped) == 0 || memcmp(bytes, nat64, sizeof nat64) == 0)
        return 12;
    return bytes[0] == 0x20 && bytes[1] == 0x02 ? 2 : -1; /* 6to4 */
}

/* Of the eighth that is assigned, but for protocols (2001::/23). */
static bool is_public_v6(const unsigned char bytes[16])
{
    const int at = find_v4(bytes);
    if (at >= 0)
        return is_public_v4((uint32_t)bytes[at] << 24 | (uint32_t)bytes[at + 1] << 16 |
                            (uint32_t)bytes[at + 2] << 8 | bytes[at + 3]);
    return bytes[0] >> 5 == 1 && !(bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] < 2);
}

bool network_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return is_public_v4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    return address->sa_family == AF_INET6 &&
           is_public_v6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
}

bool network_may_be_public(struct text host)
{
    static const char own[] = "localhost";
    char name[HOST_BYTES];
    struct in_addr v4;
    struct in6_addr v6;
    if (host.length > 2 && host.bytes[0] == '[' && host.bytes[host.length - 1] == ']')
        host = (struct text){host.bytes + 1, host.length - 2};
    if (host.length > 0 && host.bytes[host.length - 1] == '.')
        host.length--;
    if (host.length == 0 || host.length >= sizeof name)
        return false;
    memcpy(name, host.bytes, host.length);
    name[host.length] = '\0';
    const char *last = memrchr(name, '.', host.length);
    if (text_equals_ignoring_case(text_of(last ? last + 1 : name), own))
        return false;
    name[strcspn(name, "%")] = '\0'; /* fe80::1%eth0 */
    if (inet_pton(AF_INET6, name, &v6) == 1)
        return is_public_v6(v6.s6_addr);
    return !inet_aton(name, &v4) || is_public_v4(ntohl(v4.s_addr));
}
