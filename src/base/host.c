/* Parses hosts and web addresses, and distinguishes those of this machine and of private networks
 * from all others. Numeric addresses are compared by value, never as text. Looks up no names, and
 * leaves it to its callers to permit an address. */
#include "base/host.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#define HOST_MAX 255 /* longest name in bytes (RFC 1035, section 2.3.4) */

static int is_of_host(int byte)
{
    return isalnum(byte) || (byte && strchr(".-_", byte));
}

/* -- Reading ----------------------------------------------------------------------------------- */

static bool copy(struct text text, char string[HOST_MAX + 1])
{
    if (text.length > HOST_MAX)
        return false;
    memcpy(string, text.bytes, text.length);
    string[text.length] = '\0';
    return true;
}

/* Reads an IPv6 address in its brackets. */
static bool read_ipv6(struct text name, struct in6_addr *out)
{
    char string[HOST_MAX + 1];
    return name.length > 2 && name.bytes[0] == '[' && name.bytes[name.length - 1] == ']' &&
           copy((struct text){name.bytes + 1, name.length - 2}, string) &&
           inet_pton(AF_INET6, string, out) == 1;
}

static bool read_ipv4(struct text name, uint32_t *out)
{
    char string[HOST_MAX + 1];
    struct in_addr address;
    if (!copy(name, string) || inet_aton(string, &address) == 0)
        return false;
    *out = ntohl(address.s_addr);
    return true;
}

static size_t measure_name(struct text text)
{
    struct in6_addr address;
    if (text.length > 0 && text.bytes[0] == '[') {
        const char *end = memchr(text.bytes, ']', text.length);
        const size_t length = end ? (size_t)(end - text.bytes) + 1 : 0;
        return read_ipv6((struct text){text.bytes, length}, &address) ? length : 0;
    }
    const size_t length = text_count_leading(text, is_of_host);
    return length <= HOST_MAX ? length : 0;
}

bool host_read(struct text text, struct host *out)
{
    const size_t length = measure_name(text);
    *out = (struct host){.name = {text.bytes, length}, .port = -1};
    if (length == 0 || length == text.length)
        return length > 0;
    const struct text port = text_skip(text, length + 1);
    return text.bytes[length] == ':' && port.length > 0 && port.bytes[0] != '-' &&
           text_parse_integer(port, 0, 65535, &out->port);
}

bool host_read_address(struct text address, struct web_address *out)
{
    static const char https[] = "https://", http[] = "http://";
    out->is_encrypted = text_begins_ignoring_case(address, https);
    if (!out->is_encrypted && !text_begins_ignoring_case(address, http))
        return false;
    out->name = text_skip(address, strlen(out->is_encrypted ? https : http));
    struct text rest = out->name;
    return host_read(text_split_next(&rest, '/'), &out->host);
}

bool host_is_same_name(const struct host *one, const struct host *other)
{
    return one->name.length == other->name.length &&
           strncasecmp(one->name.bytes, other->name.bytes, one->name.length) == 0;
}

/* -- Local and private addresses --------------------------------------------------------------- */

bool host_is_this_machine(const struct host *host)
{
    struct in6_addr ipv6;
    uint32_t ipv4;
    if (read_ipv6(host->name, &ipv6))
        return IN6_IS_ADDR_LOOPBACK(&ipv6);
    if (read_ipv4(host->name, &ipv4))
        return ipv4 >> 24 == 127;
    return text_equals_ignoring_case(host->name, "localhost");
}

bool host_is_number(const struct host *host)
{
    struct in6_addr ipv6;
    uint32_t ipv4;
    return read_ipv6(host->name, &ipv6) || read_ipv4(host->name, &ipv4);
}

/* RFC 6890: this network, private, shared, loopback, link-local, benchmarking, multicast and
 * reserved. */
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

/* The offset of the IPv4 address inside a NAT64 or 6to4 address; -1: neither kind. */
static int find_ipv4(const uint8_t byte[16])
{
    static const uint8_t nat64[12] = {0, 0x64, 0xFF, 0x9B};
    if (memcmp(byte, nat64, sizeof nat64) == 0)
        return 12;
    return byte[0] == 0x20 && byte[1] == 0x02 ? 2 : -1;
}

/* Only global unicast addresses (first three bits 001) leave a network, except those reserved for
 * protocols (2001::/23). */
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
    if (read_ipv6(host->name, &ipv6))
        return is_local_ipv6(&ipv6);
    if (read_ipv4(host->name, &ipv4))
        return is_local_number(ipv4);
    struct text last = host->name;
    if (last.length > 0 && last.bytes[last.length - 1] == '.')
        last.length--;
    const char *dot = memrchr(last.bytes, '.', last.length);
    return !dot || text_is_one_of(text_skip(last, (size_t)(dot + 1 - last.bytes)),
                                  "localhost local internal lan home arpa");
}
