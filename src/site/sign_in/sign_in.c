/* Signing in and out: GET and POST /sign-in, by callsign and password, POST /sign-out, and
 * /welcome/, where a link signs a member in, once. A form works without JavaScript and is answered
 * with a redirect or the page again; a script that sends JSON gets a status. An unknown callsign, a
 * wrong password and a disabled member are answered alike, after the same work. sign_in_throttle.c
 * limits guesses, and passkeys.c handles passkeys. */
#include "site/sign_in/sign_in.h"

#include <string.h>

#include "base/password.h"
#include "base/text_search.h"
#include "http/device.h"
#include "pages/sign-in.h"
#include "pages/welcome.h"
#include "site/shared/access.h"
#include "site/shared/device_cookie.h"
#include "site/shared/error_page.h"
#include "site/shared/html.h"
#include "site/shared/origin.h"
#include "site/shared/page.h"
#include "site/shared/session.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/routes.h"
#include "site/sign_in/sign_in_throttle.h"
#include "store/people/devices.h"
#include "worker/body.h"
#include "worker/input.h"

/* -- The pages --------------------------------------------------------------------------------- */

static const struct form_page {
    const char *html, *root;
} sign_in_form = {sign_in_html, "./"}, welcome_form = {welcome_html, "../"};

struct outcome {
    const struct form_page *form;
    const struct error *error; /* why nobody is signed in yet; NULL: nothing was tried */
    struct text callsign;      /* as it was typed; no text: none */
    const char *next;          /* the page that wants a member, below the front page; NULL: none */
};

static const char *trouble_of(const struct error *error)
{
    static const struct {
        const struct error *error;
        const char *sentence;
    } rows[] = {
        {&site_error_wrong, "Callsign or password is wrong."},
        {&site_error_cross_site, "This browser is too old for this page. Please use a newer one."},
        {&site_error_not_encrypted, "You can sign in only at an address that starts with https."},
        {&site_error_link_unknown, "This link is not from this service, or part of it is missing."},
        {&site_error_link_used, "This link was already used. Each link works once."},
        {&site_error_link_expired, "This link has expired."},
        {&site_error_link_replaced, "A newer link has replaced this one."},
        {&error_rate_limited, "Too many attempts. Please wait {n} seconds."},
        {&error_validation_failed, "The service couldn't read this. Please try again."},
    };
    size_t i = 0, last = sizeof rows / sizeof *rows - 1;
    while (i < last && rows[i].error != error &&
           (error->status != 429 || rows[i].error->status != 429))
        i++;
    return rows[i].sentence;
}

/* In English; the page's script says it in the reader's language, by data-say and data-n. */
static const char *trouble_html(struct arena *arena, const struct error *error)
{
    const char *sentence = trouble_of(error), *place = strstr(sentence, "{n}"), *said = sentence;
    int64_t seconds = 0;
    if (place && error->header_value)
        text_parse_integer(text_of(error->header_value), 0, INT64_MAX, &seconds);
    if (place)
        said = arena_print(arena, "%.*s%lld%s", (int)(place - sentence), sentence,
                           (long long)seconds, place + 3);
    return arena_print(arena,
                       "<p id=\"trouble\" class=\"note bad\" role=\"alert\" data-say=\"%s\" "
                       "data-n=\"%lld\">%s</p>",
                       sentence, (long long)seconds, said);
}

static void show(struct exchange *exchange, const struct outcome *outcome)
{
    const struct page_value values[] = {
        {"trouble", outcome->error ? trouble_html(exchange->arena, outcome->error) : NULL},
        {"callsign", html_of(exchange->arena, outcome->callsign)},
        {"next", html_of(exchange->arena, text_of(outcome->next))},
        {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    buffer_clear(exchange->body);
    page_answer(exchange, outcome->form->html, outcome->form->root, values);
}

void sign_in_redirect(struct exchange *exchange, const char *where)
{
    exchange->status = 303;
    exchange->response->content_type = "text/html; charset=utf-8";
    response_add_header(exchange->response, "Location", where);
}

/* Redirects a person, or shows the page again with the fault and the error's status; returns NULL
 * then. For a program, the caller returns the error. */
static const struct error *conclude(struct exchange *exchange, const struct outcome *outcome,
                                    const char *where)
{
    const struct error *error = outcome->error;
    const bool wants_page = submission_wants_page(exchange->request);
    if (error && (error->status >= 500 || !wants_page))
        return error;
    if (error) {
        response_set_error(exchange->response, error); /* its header */
        exchange->status = error->status;
        show(exchange, outcome);
    } else if (wants_page)
        sign_in_redirect(exchange, where);
    return NULL;
}

void sign_in_show_error(struct exchange *exchange, const struct error *error)
{
    const struct request *request = exchange->request;
    struct text first = request->segment_count > 0 ? request->segments[0] : (struct text){0};
    bool is_welcome = text_equals(first, text_of("welcome"));
    bool has_form = is_welcome || text_equals(first, text_of("sign-in")) ||
                    text_equals(first, text_of("sign-out"));
    if (!has_form || error->status >= 500)
        error_page_show(exchange, error);
    else if (submission_wants_page(request))
        show(exchange, &(struct outcome){.form = is_welcome ? &welcome_form : &sign_in_form,
                                         .error = error,
                                         .next = "profile/"});
}

/* -- Sessions ---------------------------------------------------------------------------------- */

const struct error *sign_in_check(struct exchange *exchange)
{
    TRY(origin_check(exchange));
    return session_is_possible(exchange) ? NULL : &site_error_not_encrypted;
}

static struct text device_of(const struct exchange *exchange)
{
    return device_name(exchange->arena,
                       gateway_variable(exchange->request->gateway, "HTTP_USER_AGENT"));
}

/* The browser signs out, or has got another session, by this cookie (NULL: none). STORE_NONE: it is
 * not signed in. */
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

/* The store has opened the session, or not. A browser has one session: what it had before would
 * only stay in the list of devices. */
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

static const struct error *open_by_link(struct exchange *exchange, struct text secret_of_link)
{
    static const struct error *const errors_of[] = {
        [LINK_WORKED] = NULL,
        [LINK_UNKNOWN] = &site_error_link_unknown,
        [LINK_USED] = &site_error_link_used,
        [LINK_EXPIRED] = &site_error_link_expired,
        [LINK_REPLACED] = &site_error_link_replaced,
    };
    unsigned char link[API_KEY_FINGERPRINT_BYTES];
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum link_outcome outcome = LINK_UNKNOWN;
    enum sign_in_link kind;
    api_key_fingerprint(secret_of_link, link);
    enum store_result result =
        store_use_link(exchange->store, link, device_of(exchange), cookie, &outcome, &kind);
    return finish(exchange, cookie, result == STORE_DONE ? errors_of[outcome] : error_of(result));
}

const struct error *sign_in_by_passkey(struct exchange *exchange, const struct passkey_use *use)
{
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum store_result result =
        store_open_session_by_passkey(exchange->store, use, device_of(exchange), cookie);
    return finish(exchange, cookie,
                  result == STORE_NONE || result == STORE_DENIED ? &site_error_passkey_wrong
                  : result == STORE_REFUSED                      ? &site_error_passkey_copied
                                                                 : error_of(result));
}

/* -- By callsign and password ------------------------------------------------------------------ */

enum { CALLSIGN, PASSWORD, NEXT };
static const char *const fields[] = {"callsign", "password", "next", NULL};

/* A page of ours that requires a member, with its section and search, in the log of a station too;
 * never an address outside this service. */
static const char *choose_next(struct exchange *exchange, struct text text)
{
    static const char safe[] = "^(profile/(\\?log=[A-Za-z0-9_.~%*!'()-]+)?|operator/|app/)"
                               "(#[A-Za-z0-9_.~?=&%+*!'()-]*)?$";
    const char *next = arena_copy(exchange->arena, text.bytes, text.length);
    next += *next == '/';
    return text_search(next, safe, REG_NOSUB, 0, NULL) ? next : "profile/";
}

/* -- The page ---------------------------------------------------------------------------------- */

static const struct error *answer_page(struct exchange *exchange)
{
    struct text asked;
    if (input_read_parameter(exchange, "next", &asked) != NULL)
        asked = (struct text){0};
    const char *next = choose_next(exchange, asked);
    exchange->is_private = true;
    if (access_find_session(exchange))
        sign_in_redirect(exchange, next);
    else
        show(exchange, &(struct outcome){.form = &sign_in_form, .next = next});
    return NULL;
}

/* -- The form ---------------------------------------------------------------------------------- */

static const struct error *try_password(struct exchange *exchange, const struct text *values)
{
    struct attempt attempt;
    struct sign_in found = {0};
    char *cookie = arena_allocate(exchange->arena, SESSION_COOKIE_SIZE);
    enum store_result result =
        store_find_sign_in(exchange->store, exchange->arena, text_trim(values[CALLSIGN]), &found);
    TRY(route_find_error(result, NULL));
    const struct attempted attempted = {.name = values[CALLSIGN],
                                        .member_id = found.member_id,
                                        .device = device_cookie_find(exchange, found.member_id)};
    TRY(attempt_begin(&attempt, exchange, &attempted));
    const struct error *error = &site_error_wrong;
    if (password_verify(values[PASSWORD], found.password_hash) && found.member_is_active)
        error = finish(
            exchange, cookie,
            error_of(store_open_session(exchange->store, &found, device_of(exchange), cookie)));
    attempt_end(&attempt, error == &site_error_wrong);
    return error;
}

static const struct error *sign_in(struct exchange *exchange, struct text *values)
{
    TRY(sign_in_check(exchange));
    TRY(submission_read(exchange, fields, values));
    if (!values[CALLSIGN].bytes || !values[PASSWORD].bytes)
        return input_refuse(exchange, values[CALLSIGN].bytes ? "password" : "callsign",
                            "is required");
    return try_password(exchange, values);
}

static const struct error *answer_form(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    struct outcome outcome = {.form = &sign_in_form, .error = sign_in(exchange, values)};
    outcome.callsign = values[CALLSIGN];
    outcome.next = choose_next(exchange, values[NEXT]);
    return conclude(exchange, &outcome, outcome.next);
}

/* -- Out --------------------------------------------------------------------------------------- */

static const struct error *sign_out(struct exchange *exchange)
{
    int64_t member_id;
    TRY(origin_check(exchange));
    TRY(route_find_error(end_session(exchange, NULL, &member_id), NULL));
    device_cookie_end_session(exchange, member_id);
    return NULL;
}

static const struct error *answer_sign_out(struct exchange *exchange)
{
    const struct outcome outcome = {
        .form = &sign_in_form, .error = sign_out(exchange), .next = "profile/"};
    return conclude(exchange, &outcome, "./");
}

PUBLIC_ROUTE(sign_in_page, METHOD_GET, "/sign-in", USES_SNAPSHOT, 200, answer_page);
PUBLIC_ROUTE(sign_in, METHOD_POST, "/sign-in", USES_STORE, 204, answer_form,
             .body = &submission_body);
PUBLIC_ROUTE(sign_out, METHOD_POST, "/sign-out", USES_STORE, 204, answer_sign_out,
             .body = &body_unread);

/* -- By a link --------------------------------------------------------------------------------- */

static const char *const link_fields[] = {"token", NULL};

static const struct error *answer_welcome_page(struct exchange *exchange)
{
    show(exchange, &(struct outcome){.form = &welcome_form});
    return NULL;
}

static const struct error *use_link(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    TRY(sign_in_check(exchange));
    TRY(submission_read(exchange, link_fields, values));
    if (!values[0].bytes)
        return input_refuse(exchange, link_fields[0], "is required");
    struct text pasted = text_trim(values[0]);
    const char *mark = memrchr(pasted.bytes, '#', pasted.length); /* of a whole link */
    if (mark)
        pasted = text_skip(pasted, (size_t)(mark + 1 - pasted.bytes));
    const struct error *error = open_by_link(exchange, pasted);
    return error == &site_error_link_unknown ? attempt_note_failure(exchange, error) : error;
}

static const struct error *answer_welcome(struct exchange *exchange)
{
    const struct outcome outcome = {.form = &welcome_form, .error = use_link(exchange)};
    return conclude(exchange, &outcome, "../profile/");
}

PUBLIC_ROUTE(welcome_page, METHOD_GET, "/welcome/", USES_NOTHING, 200, answer_welcome_page);
PUBLIC_ROUTE(welcome, METHOD_POST, "/welcome/", USES_STORE, 204, answer_welcome,
             .body = &submission_body);
