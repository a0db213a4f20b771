/* Names the cookies, and finds the session that belongs to a cookie. With TLS, the name has the
 * prefix "__Host-". Browsers accept such a cookie only from this host, and send it only over TLS
 * (RFC 6265bis, section 4.1.3). Without TLS, the cookie exists only at the machine's own addresses,
 * where nobody can read the traffic. The store contains the sessions. */
#include "site/shared/session.h"

#include <string.h>
#include <strings.h>

#include "base/host_local.h"
#include "http/address.h"
#include "http/cookie.h"
#include "site/shared/address.h"

#define COOKIE_WITH_TLS "__Host-qsosync"
#define COOKIE_WITHOUT_TLS "qsosync"

/* Returns the name with or without the prefix. Behind a proxy that terminates TLS, the request does
 * not show TLS, and can even name this machine as the host. The service's address then shows TLS.
 * Returns NULL without TLS on another machine. */
const char *session_cookie_name(struct exchange *exchange)
{
    struct host host;
    if (address_is_encrypted(exchange->request) ||
        strncasecmp(address_of_service(exchange), "https://", strlen("https://")) == 0)
        return COOKIE_WITH_TLS;
    bool is_local = address_find_host(exchange->request, &host) && host_is_this_machine(&host);
    return is_local ? COOKIE_WITHOUT_TLS : NULL;
}

struct text session_cookie(struct exchange *exchange)
{
    const char *name = session_cookie_name(exchange);
    return name ? cookie_find(request_variable(exchange->request, "HTTP_COOKIE"), name)
                : (struct text){0};
}

bool session_is_possible(struct exchange *exchange)
{
    return session_cookie_name(exchange) != NULL;
}

enum store_result session_find(struct exchange *exchange, struct identity *out)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct text cookie = session_cookie(exchange);
    if (cookie.length != API_KEY_COOKIE_LENGTH)
        return STORE_NONE;
    api_key_fingerprint(cookie, fingerprint);
    return store_find_credential(exchange->store, CREDENTIAL_SESSION, exchange->arena, fingerprint,
                                 exchange->request->arrived_ms, out);
}

void session_set_cookie(struct exchange *exchange, struct text cookie)
{
    const char *name = session_cookie_name(exchange);
    if (name)
        cookie_set(exchange->response, name, cookie, cookie.bytes ? SESSION_COOKIE_SECONDS : 0);
}
