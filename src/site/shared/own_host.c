/* Redirects people who use another name of the service, such as an old name that still works. */
#include "site/shared/own_host.h"

#include <string.h>

#include "http/address.h"
#include "http/cookie.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "site/shared/submission.h"

#define COOKIE "qsosync-led"

/* Returns whether a host name is public. Operators on this machine, and proxies, use IP addresses
 * and names without a dot, which do not count as public names. */
static bool is_public_name(const struct host *host)
{
    return memchr(host->name.bytes, '.', host->name.length) && !host_is_number(host);
}

/* Returns the requested address under the service's own name, in the arena. Returns NULL if the
 * request used that name or a name that is not public, or if the service has no address. */
static const char *address_at_own_name(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    const char *path = request_variable(request, "REQUEST_URI");
    const char *address = address_of_service(exchange);
    size_t prefix = request->base_path.length;
    struct host asked;
    struct web_address own;
    if (!club_of(exchange)->values[CLUB_ADDRESS].bytes || !strstr(address, "://") ||
        !address_find_host(request, &asked) || !is_public_name(&asked) ||
        (host_read_address(text_of(address), &own) && host_is_same_name(&own.host, &asked)) ||
        strlen(path) <= prefix || path[prefix] != '/')
        return NULL;
    return arena_print(exchange->arena, "%s%s", address, path + prefix);
}

/* Redirects a browser unless it sends the cookie COOKIE, and sets this cookie with the redirect. If
 * a proxy hides the requested name from us, the browser would otherwise be redirected in a loop.
 * With SameSite=Lax, the browser also sends the cookie after a link on another site. */
bool own_host_redirect(struct exchange *exchange)
{
    const char *address;
    if (exchange->route->access == ACCESS_UPLOADS || !submission_wants_page(exchange->request) ||
        !(address = address_at_own_name(exchange)) ||
        cookie_find(request_variable(exchange->request, "HTTP_COOKIE"), COOKIE).bytes)
        return false;
    exchange->status = 303;
    exchange->is_private = true;
    response_add_header(exchange->response, "Set-Cookie",
                        COOKIE "=1; Max-Age=10; Path=/; HttpOnly; SameSite=Lax");
    response_add_header(exchange->response, "Location", address);
    return true;
}
