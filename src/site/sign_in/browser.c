/* Signs the requesting browser in and out: opens a session in the store, and sets the session's
 * cookie. A browser has at most one session. */
#include "site/sign_in/browser.h"

#include "http/device.h"
#include "site/shared/device_cookie.h"
#include "site/shared/origin.h"
#include "site/shared/session.h"
#include "site/shared/site_error.h"
#include "site/sign_in/outcome.h"
#include "site/sign_in/routes.h"
#include "store/people/devices.h"
#include "store/people/links.h"
#include "store/people/sessions.h"

const struct error *browser_check(struct exchange *exchange)
{
    TRY(origin_check(exchange));
    return session_is_possible(exchange) ? NULL : &site_error_not_encrypted;
}

static struct text device_of(const struct exchange *exchange)
{
    return device_name(exchange->arena,
                       gateway_variable(exchange->request->gateway, "HTTP_USER_AGENT"));
}

/* Ends the browser's session because the member signs out, or because the browser has a new session
 * with this cookie (NULL: no new session). Returns STORE_NONE if the browser is not signed in. */
static enum store_result end_session(struct exchange *exchange, const char *cookie,
                                     int64_t *member_id)
{
    struct identity identity;
    enum store_result result = session_find(exchange, &identity);
    *member_id = result == STORE_DONE ? identity.member_id : 0;
    if (result != STORE_DONE)
        return result;
    return cookie ? store_replace_session(exchange->store, identity.member_id, identity.key_number,
                                          text_of(cookie))
                  : store_end_session(exchange->store, identity.member_id, identity.key_number);
}

/* Sets the new session's cookie, and ends the browser's previous session, which would otherwise
 * remain in the list of devices. Returns `error` if the store could not open the session. */
static const struct error *finish(struct exchange *exchange, const char *cookie,
                                  const struct error *error)
{
    int64_t before;
    TRY(error);
    end_session(exchange, cookie, &before);
    session_set_cookie(exchange, text_of(cookie));
    if (before && !store_cookie_is_of(exchange->store, text_of(cookie), before))
        device_cookie_remember(exchange, before);
    return NULL;
}

static const struct error *error_of(enum store_result result)
{
    return result == STORE_DENIED ? &site_error_wrong : route_store_error(result);
}

static const struct error *error_of_link(enum link_outcome outcome)
{
    static const struct error *const errors[] = {
        [LINK_WORKED] = NULL,
        [LINK_UNKNOWN] = &site_error_link_unknown,
        [LINK_USED] = &site_error_link_used,
        [LINK_EXPIRED] = &site_error_link_expired,
        [LINK_REPLACED] = &site_error_link_replaced,
    };
    return errors[outcome];
}

const struct error *browser_describe_link(struct exchange *exchange, struct text secret_of_link,
                                          struct link_description *out)
{
    unsigned char link[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(secret_of_link, link);
    enum store_result result = store_describe_link(exchange->store, exchange->arena, link,
                                                   exchange->request->arrived_ms, out);
    return result == STORE_DONE ? error_of_link(out->outcome) : route_store_error(result);
}

const struct error *browser_open_by_link(struct exchange *exchange, struct text secret_of_link)
{
    unsigned char link[API_KEY_FINGERPRINT_BYTES];
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum link_outcome outcome = LINK_UNKNOWN;
    enum sign_in_link kind;
    api_key_fingerprint(secret_of_link, link);
    enum store_result result =
        store_use_link(exchange->store, link, device_of(exchange), cookie, &outcome, &kind);
    return finish(exchange, cookie,
                  result == STORE_DONE ? error_of_link(outcome) : error_of(result));
}

const struct error *browser_open_by_passkey(struct exchange *exchange,
                                            const struct passkey_use *use)
{
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum store_result result =
        store_open_session_by_passkey(exchange->store, use, device_of(exchange), cookie);
    return finish(exchange, cookie,
                  result == STORE_NONE || result == STORE_DENIED ? &site_error_passkey_wrong
                  : result == STORE_REFUSED                      ? &site_error_passkey_copied
                                                                 : error_of(result));
}

const struct error *browser_open_by_password(struct exchange *exchange, const struct sign_in *found)
{
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum store_result result =
        store_open_session(exchange->store, found, device_of(exchange), cookie);
    return finish(exchange, cookie, error_of(result));
}

const struct error *browser_sign_out(struct exchange *exchange)
{
    int64_t member_id;
    TRY(origin_check(exchange));
    TRY(route_find_error(end_session(exchange, NULL, &member_id), NULL));
    device_cookie_end_session(exchange, member_id);
    return NULL;
}
