/* Checks whether one of this service's own pages sent a request. */
#include "site/shared/origin.h"

#include <string.h>

#include "http/address.h"
#include "site/shared/club.h"
#include "site/shared/site_error.h"

/* Returns whether an origin belongs to the address that the operator has set for the service. If no
 * address is set, accepts the request's host with either scheme, because a proxy may have
 * terminated TLS. */
bool origin_is_own(struct exchange *exchange, const char *origin)
{
    struct text said = club_of(exchange)->values[CLUB_ADDRESS];
    struct web_address own, other;
    if (!host_read_address(text_of(origin), &other) || strchr(other.name.bytes, '/'))
        return false; /* an origin has no path */
    const int64_t usual = other.is_encrypted ? 443 : 80;
    const bool is_known =
        said.length > 0 ? host_read_address(said, &own) && own.is_encrypted == other.is_encrypted
                        : address_find_host(exchange->request, &own.host);
    return is_known && host_is_same_name(&own.host, &other.host) &&
           (own.host.port < 0 ? usual : own.host.port) ==
               (other.host.port < 0 ? usual : other.host.port);
}

/* First checks Sec-Fetch-Site, the browser's own header about the two sites, because no page can
 * change that header. The Origin header is less certain: a proxy can hide the host from us, and a
 * page that hides its origin sends "null". */
const struct error *origin_check(struct exchange *exchange)
{
    const char *site = request_variable(exchange->request, "HTTP_SEC_FETCH_SITE");
    const char *origin = request_variable(exchange->request, "HTTP_ORIGIN");
    bool is_ours =
        *site ? strcmp(site, "same-origin") == 0 : *origin && origin_is_own(exchange, origin);
    return is_ours ? NULL : &site_error_cross_site;
}
