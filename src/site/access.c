/* Decides who may use a route of the site: everybody, a member whose browser is signed in, one of
 * them who runs the club, or anybody while uploads are on. This program knows no API key; an upload
 * token is looked up where the request carries it, by the route. */
#include "site/access.h"

#include <string.h>
#include <strings.h>

#include "base/datetime.h"
#include "site/address.h"
#include "site/guesses.h"
#include "site/session.h"
#include "site/site_error.h"
#include "store/keys.h"
#include "store/logbook.h"
#include "store/sessions.h"

static int64_t today(const struct exchange *exchange)
{
    return exchange->request->arrived_ms / DATETIME_DAY_MS;
}

/* Once a day the cookie is given its full time again. */
static void renew_cookie(struct exchange *exchange)
{
    if (exchange->identity.last_used_day < today(exchange))
        session_renew_cookie(exchange);
}

bool access_find_session(struct exchange *exchange)
{
    if (!exchange->store || session_find(exchange, &exchange->identity) != STORE_DONE)
        return false;
    renew_cookie(exchange);
    return true;
}

/* The log that the request asks for: a station's, if the route has to do with a log at all. What
 * belongs to a person is the own log's alone. */
static const struct error *enter_log(struct exchange *exchange, struct identity *identity)
{
    struct text callsign;
    const char *message;
    if (exchange->route->access == ACCESS_OPERATOR)
        return NULL;
    message = request_find_parameter(exchange->request, "log", &callsign);
    if (message)
        return error_with_details(exchange->arena, &error_validation_failed, "log", message);
    if (!callsign.bytes || match_same_callsign(callsign, identity->callsign))
        return NULL;
    if (exchange->route->access != ACCESS_LOG)
        return &site_error_log_not_granted;
    enum store_result result = store_enter_log(exchange->store, exchange->arena, callsign,
                                               exchange->request->arrived_ms, identity);
    return result == STORE_NO_GRANT ? &site_error_log_not_granted : route_store_error(result);
}

/* Browsers send cookies with requests of any page: what changes something has to come from one of
 * ours. */
static const struct error *identify_member(struct exchange *exchange)
{
    TRY(exchange->route->method == METHOD_GET ? NULL : origin_check(exchange));
    enum store_result result = session_find(exchange, &exchange->identity);
    if (result == STORE_NONE && session_has_cookie(exchange))
        session_end_cookie(exchange);
    TRY(route_find_error(result, &site_error_no_session));
    renew_cookie(exchange);
    TRY(enter_log(exchange, &exchange->identity));
    return route_find_error(store_find_active_member(exchange->store, exchange->arena,
                                                     exchange->identity.member_id,
                                                     &exchange->member),
                            &site_error_no_session);
}

static const struct error *identify_operator(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    TRY(identify_member(exchange));
    if (!identity->is_operator)
        return &site_error_no_operator;
    return store_session_is_proved(identity, exchange->request->arrived_ms)
               ? NULL
               : &site_error_proof_too_old;
}

static const struct error *check_uploads(struct exchange *exchange)
{
    bool on = false;
    if (store_read_uploads(exchange->store, &on) != STORE_DONE)
        return &error_internal;
    return on ? NULL : &error_not_found;
}

const struct error *access_check(struct exchange *exchange)
{
    switch (exchange->route->access) {
    case ACCESS_UPLOADS:
        return check_uploads(exchange);
    case ACCESS_OPERATOR:
        return identify_operator(exchange);
    default:
        return identify_member(exchange);
    }
}

const struct error *access_check_again(struct exchange *exchange)
{
    struct identity identity;
    int64_t now_ms = exchange->request->arrived_ms;
    if (exchange->identity.credential != CREDENTIAL_SESSION)
        return NULL;
    if (store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    enum store_result result = session_find(exchange, &identity);
    const struct error *error = result == STORE_DONE
                                    ? enter_log(exchange, &identity)
                                    : route_find_error(result, &site_error_no_session);
    store_end_read(exchange->store);
    TRY(error);
    bool is_operator_still = exchange->route->access != ACCESS_OPERATOR || identity.is_operator;
    return is_operator_still ? NULL : &site_error_no_operator;
}

void access_finish(const struct exchange *exchange, const struct error *error)
{
    const struct identity *identity = &exchange->identity;
    int64_t day = today(exchange);
    (void)error;
    if (identity->last_used_day >= day || identity->credential == CREDENTIAL_NONE)
        return;
    store_note_use(exchange->store, identity->credential, identity->key_number, day);
    if (identity->credential == CREDENTIAL_SESSION)
        guess_note_use(exchange->request,
                       identity->operator_id ? identity->operator_id : identity->member_id);
}

/* Reads Sec-Fetch-Site and Origin. The service's own origin is that of its address if the
 * operator has said one; without it, the host that the request was sent to, for a proxy may have
 * ended TLS before us, and changed the scheme. */

static int64_t port_of(const struct host *host, const char *origin)
{
    return host->port >= 0 ? host->port : strncasecmp(origin, "https:", 6) == 0 ? 443 : 80;
}

static bool has_host(const char *origin, const struct host *host)
{
    struct host own;
    const char *authority = strstr(origin, "://");
    return authority && address_read_host(text_of(authority + 3), &own) &&
           address_is_same_name(&own, host) && port_of(&own, origin) == port_of(host, origin);
}

/* The host and port of the request itself. */
static bool is_host(const struct exchange *exchange, const char *origin)
{
    struct host asked;
    return address_find_host(exchange->request, &asked) && has_host(origin, &asked);
}

/* What the operator has said, which may hold the usual port, and a path. */
static bool is_address(const char *address, const char *origin)
{
    struct host host;
    return strncasecmp(address, origin, strcspn(origin, ":") + 1) == 0 &&
           address_host_of(address, &host) && has_host(origin, &host);
}

bool origin_is_own(struct exchange *exchange, const char *origin)
{
    struct text said = club_of(exchange)->values[CLUB_ADDRESS];
    return said.length > 0
               ? is_address(arena_copy(exchange->arena, said.bytes, said.length), origin)
               : is_host(exchange, origin);
}

/* What the browser says of the two sites counts: no page can change it. An origin may have passed a
 * proxy that keeps the host from us, or be "null", from a page that tells nobody where it is. */
const struct error *origin_check(struct exchange *exchange)
{
    const char *site = request_variable(exchange->request, "HTTP_SEC_FETCH_SITE");
    const char *origin = request_variable(exchange->request, "HTTP_ORIGIN");
    bool is_ours =
        *site ? strcmp(site, "same-origin") == 0 : *origin && origin_is_own(exchange, origin);
    return is_ours ? NULL : &site_error_cross_site;
}
