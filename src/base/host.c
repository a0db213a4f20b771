/* Parses hosts and web addresses. Looks up no names. */
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

static bool copy(struct text text, char string[HOST_MAX + 1])
{
    if (text.length > HOST_MAX)
        return false;
    memcpy(string, text.bytes, text.length);
    string[text.length] = '\0';
    return true;
}

bool host_read_ipv6(struct text name, struct in6_addr *out)
{
    char string[HOST_MAX + 1];
    return name.length > 2 && name.bytes[0] == '[' && name.bytes[name.length - 1] == ']' &&
           copy((struct text){name.bytes + 1, name.length - 2}, string) &&
           inet_pton(AF_INET6, string, out) == 1;
}

bool host_read_ipv4(struct text name, uint32_t *out)
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
        return host_read_ipv6((struct text){text.bytes, length}, &address) ? length : 0;
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

bool host_is_number(const struct host *host)
{
    struct in6_addr ipv6;
    uint32_t ipv4;
    return host_read_ipv6(host->name, &ipv6) || host_read_ipv4(host->name, &ipv4);
}
