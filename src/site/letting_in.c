/* Opens sessions, and says to people why none was opened. A session's secret is always made here,
 * and never taken from the request: whoever could give a browser a cookie beforehand would know it
 * (session fixation). */
#include "site/letting_in.h"

#include <string.h>

#include "site/device.h"
#include "site/error_page.h"
#include "site/site_error.h"
#include "site/access.h"
#include "site/session.h"
#include "site/submission.h"

const struct error *letting_in_check(struct exchange *exchange)
{
    const struct error *error = origin_check(exchange);
    return error ? error : session_is_possible(exchange) ? NULL : &site_error_not_encrypted;
}

/* -- Sessions ---------------------------------------------------------------------------------- */

static struct text device_of(const struct exchange *exchange)
{
    return device_name(exchange->arena,
                       gateway_variable(exchange->request->gateway, "HTTP_USER_AGENT"));
}

/* A browser has one cookie: what it had before would only stay in the list of devices. */
static void end_former(struct exchange *exchange)
{
    struct identity former;
    if (session_find(exchange, &former) == STORE_DONE)
        store_end_session(exchange->store, former.member_id, former.key_number);
}

/* The store has opened the session, or not. */
static const struct error *finish(struct exchange *exchange, struct session_secret *secret,
                                  const struct error *error)
{
    if (!error) {
        end_former(exchange);
        session_set_cookie(exchange, secret);
    }
    explicit_bzero(secret, sizeof *secret);
    return error;
}

static const struct error *error_of(enum store_result result)
{
    return result == STORE_DONE     ? NULL
           : result == STORE_DENIED ? &site_error_wrong
           : result == STORE_BUSY   ? &error_busy
                                    : &error_internal;
}

const struct error *letting_in_by_password(struct exchange *exchange, const struct sign_in *sign_in)
{
    struct session_secret secret;
    if (!session_make(&secret))
        return &error_internal;
    enum store_result result =
        store_open_session(exchange->store, sign_in, device_of(exchange), secret.fingerprint);
    return finish(exchange, &secret, error_of(result));
}

const struct error *letting_in_by_link(struct exchange *exchange, struct text secret_of_link)
{
    static const struct error *const errors_of[] = {
        [LINK_WORKED] = NULL,
        [LINK_UNKNOWN] = &site_error_link_unknown,
        [LINK_USED] = &site_error_link_used,
        [LINK_EXPIRED] = &site_error_link_expired,
        [LINK_REPLACED] = &site_error_link_replaced,
    };
    unsigned char link[API_KEY_FINGERPRINT_BYTES];
    struct session_secret secret;
    enum link_outcome outcome = LINK_UNKNOWN;
    enum sign_in_link kind;
    if (!session_make(&secret))
        return &error_internal;
    api_key_fingerprint(secret_of_link, link);
    enum store_result result = store_use_link(exchange->store, link, device_of(exchange),
                                              secret.fingerprint, &outcome, &kind);
    return finish(exchange, &secret, result == STORE_DONE ? errors_of[outcome] : error_of(result));
}

const struct error *letting_in_by_passkey(struct exchange *exchange, const struct passkey_use *use)
{
    struct session_secret secret;
    if (!session_make(&secret))
        return &error_internal;
    enum store_result result = store_open_session_by_passkey(
        exchange->store, use, device_of(exchange), secret.fingerprint);
    return finish(exchange, &secret,
                  result == STORE_NONE || result == STORE_DENIED ? &site_error_passkey_wrong
                  : result == STORE_REFUSED                      ? &site_error_passkey_copied
                                                                 : error_of(result));
}

/* -- Answers ----------------------------------------------------------------------------------- */

void letting_in_redirect(struct exchange *exchange, const char *where)
{
    exchange->status = 303;
    exchange->response->content_type = "text/html; charset=utf-8";
    response_add_header(exchange->response, "Location", where);
}

static enum sign_in_trouble trouble_of(const struct error *error)
{
    static const struct {
        const struct error *error;
        enum sign_in_trouble trouble;
    } rows[] = {
        {&site_error_wrong, SIGN_IN_WRONG},
        {&site_error_cross_site, SIGN_IN_FOREIGN},
        {&site_error_not_encrypted, SIGN_IN_NOT_ENCRYPTED},
        {&site_error_link_unknown, SIGN_IN_LINK_UNKNOWN},
        {&site_error_link_used, SIGN_IN_LINK_USED},
        {&site_error_link_expired, SIGN_IN_LINK_EXPIRED},
        {&site_error_link_replaced, SIGN_IN_LINK_REPLACED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].error == error)
            return rows[i].trouble;
    return error->status == 429 ? SIGN_IN_TOO_MANY : SIGN_IN_MALFORMED;
}

static void show_page(struct exchange *exchange, const struct error *error,
                      const struct sign_in_attempt *attempt, letting_in_page *show)
{
    struct sign_in_attempt refused = *attempt;
    refused.trouble = trouble_of(error);
    if (error->status == 429 && error->header_value)
        text_parse_integer(text_of(error->header_value), 0, INT64_MAX, &refused.wait_seconds);
    buffer_clear(&exchange->response->body);
    show(exchange, &refused);
}

const struct error *letting_in_refuse(struct exchange *exchange, const struct error *error,
                                      const struct sign_in_attempt *attempt, letting_in_page *show)
{
    if (error->status >= 500 || !submission_wants_page(exchange->request))
        return error;
    response_set_error(exchange->response, error); /* its header */
    exchange->status = error->status;
    show_page(exchange, error, attempt, show);
    return NULL;
}

void letting_in_show_error(struct exchange *exchange, const struct error *error)
{
    const struct request *request = exchange->request;
    const struct sign_in_attempt none = {.next = text_of("profile/")};
    struct text first = request->segment_count > 0 ? request->segments[0] : (struct text){0};
    bool is_welcome = text_equals(first, text_of("welcome"));
    bool has_form = is_welcome || text_equals(first, text_of("sign-in")) ||
                    text_equals(first, text_of("sign-out"));
    if (!has_form || error->status >= 500)
        error_page_show(exchange, error);
    else if (submission_wants_page(request))
        show_page(exchange, error, &none, is_welcome ? welcome_page_answer : sign_in_page_answer);
}
