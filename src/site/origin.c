/* Reads Sec-Fetch-Site and Origin. The service's own origin is that of its address where the
 * operator has said one; without it, the host that the request was sent to, for a proxy may have
 * ended TLS before us, and changed the scheme. */
#include "site/origin.h"

#include <string.h>
#include <strings.h>

#include "site/address.h"
#include "site/club.h"
#include "site/site_error.h"

static const char *variable(const struct exchange *exchange, const char *name)
{
    const char *value = gateway_variable(exchange->request->gateway, name);
    return value && *value ? value : NULL;
}

static int64_t port_of(const struct host *host, const char *origin)
{
    return host->port >= 0 ? host->port : strncasecmp(origin, "https:", 6) == 0 ? 443 : 80;
}

/* The host and port of the request itself. */
static bool is_host(const struct exchange *exchange, const char *origin)
{
    struct host asked, own;
    const char *authority = strstr(origin, "://");
    return authority && address_find_host(exchange->request, &asked) &&
           address_read_host(text_of(authority + 3), &own) &&
           own.name.length == asked.name.length &&
           strncasecmp(own.name.bytes, asked.name.bytes, own.name.length) == 0 &&
           port_of(&own, origin) == port_of(&asked, origin);
}

/* What an address may hold behind its origin: the port that its scheme has without saying, and a
 * path. */
static bool is_end_of_origin(struct text address, size_t length)
{
    static const struct {
        const char *scheme, *port;
    } usual[] = {{"https:", ":443"}, {"http:", ":80"}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        size_t port = strlen(usual[i].port);
        if (strncasecmp(address.bytes, usual[i].scheme, strlen(usual[i].scheme)) == 0 &&
            address.length >= length + port &&
            memcmp(address.bytes + length, usual[i].port, port) == 0)
            length += port;
    }
    return address.length == length || address.bytes[length] == '/';
}

/* Where the operator has said no address, none is known. */
static bool is_address(struct exchange *exchange, const char *origin, bool *is_known)
{
    struct text address = club_of(exchange)->values[CLUB_ADDRESS];
    size_t length = strlen(origin);
    *is_known = address.length > 0;
    return *is_known && address.length >= length &&
           strncasecmp(address.bytes, origin, length) == 0 && is_end_of_origin(address, length);
}

/* What the browser says of the two sites counts: no page can change it. An origin may have passed a
 * proxy that keeps the host from us, or be "null", from a page that tells nobody where it is. */
const struct error *origin_check(struct exchange *exchange)
{
    const char *site = variable(exchange, "HTTP_SEC_FETCH_SITE");
    const char *origin = variable(exchange, "HTTP_ORIGIN");
    bool is_known;
    if (site)
        return strcmp(site, "same-origin") == 0 ? NULL : &site_error_cross_site;
    if (!origin)
        return &site_error_cross_site;
    bool is_own =
        is_address(exchange, origin, &is_known) || (!is_known && is_host(exchange, origin));
    return is_own ? NULL : &site_error_cross_site;
}
