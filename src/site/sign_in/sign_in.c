/* GET and POST /sign-in, which sign a member in by callsign and password, and POST /sign-out. An
 * unknown callsign takes as much work as a wrong password. attempt.c limits guesses. */
#include "base/password.h"
#include "base/text_search.h"
#include "site/shared/access.h"
#include "site/shared/device_cookie.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/attempt.h"
#include "site/sign_in/browser.h"
#include "site/sign_in/outcome.h"
#include "site/sign_in/routes.h"
#include "store/people/devices.h"
#include "worker/body.h"
#include "worker/input.h"

enum { CALLSIGN, PASSWORD, NEXT };
static const char *const fields[] = {"callsign", "password", "next", NULL};

/* Chooses the page to open after signing in: the profile with a station's log, the operator's page
 * or the app, each with a section. Returns the profile for any other text, so never returns an
 * address outside this service. */
static const char *choose_next(struct exchange *exchange, struct text text)
{
    static const char safe[] = "^(profile/(\\?log=[A-Za-z0-9_.~%*!'()-]+)?|operator/|app/)"
                               "(#[A-Za-z0-9_.~?=&%+*!'()/-]*)?$";
    const char *next = arena_copy(exchange->arena, text.bytes, text.length);
    next += *next == '/';
    return text_search(next, safe, REG_NOSUB, 0, NULL) ? next : "profile/";
}

static const struct error *answer_page(struct exchange *exchange)
{
    struct text asked;
    if (input_read_parameter(exchange, "next", &asked) != NULL)
        asked = (struct text){0};
    const char *next = choose_next(exchange, asked);
    exchange->is_private = true;
    if (access_find_session(exchange))
        outcome_redirect(exchange, next);
    else
        outcome_show(exchange, &(struct outcome){.form = &outcome_sign_in, .next = next});
    return NULL;
}

static const struct error *try_password(struct exchange *exchange, const struct text *values)
{
    struct attempt attempt;
    struct sign_in found = {0};
    enum store_result result =
        store_find_sign_in(exchange->store, exchange->arena, text_trim(values[CALLSIGN]), &found);
    TRY(route_find_error(result, NULL));
    const struct attempted attempted = {.name = values[CALLSIGN],
                                        .member_id = found.member_id,
                                        .device = device_cookie_find(exchange, found.member_id)};
    TRY(attempt_begin(&attempt, exchange, &attempted));
    const struct error *error = &site_error_wrong;
    if (password_verify(values[PASSWORD], found.password_hash) && found.member_is_active)
        error = browser_open_by_password(exchange, &found);
    attempt_end(&attempt, error == &site_error_wrong);
    return error;
}

static const struct error *sign_in(struct exchange *exchange, struct text *values)
{
    TRY(browser_check(exchange));
    TRY(submission_read(exchange, fields, values));
    if (!values[CALLSIGN].bytes || !values[PASSWORD].bytes)
        return input_refuse(exchange, values[CALLSIGN].bytes ? "password" : "callsign",
                            "is required");
    return try_password(exchange, values);
}

static const struct error *answer_form(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    struct outcome outcome = {.form = &outcome_sign_in, .error = sign_in(exchange, values)};
    outcome.callsign = values[CALLSIGN];
    outcome.next = choose_next(exchange, values[NEXT]);
    return outcome_conclude(exchange, &outcome, outcome.next);
}

static const struct error *answer_sign_out(struct exchange *exchange)
{
    const struct outcome outcome = {
        .form = &outcome_sign_in, .error = browser_sign_out(exchange), .next = "profile/"};
    return outcome_conclude(exchange, &outcome, "./");
}

PUBLIC_ROUTE(sign_in_page, METHOD_GET, "/sign-in", USES_SNAPSHOT, 200, answer_page);
PUBLIC_ROUTE(sign_in, METHOD_POST, "/sign-in", USES_STORE, 204, answer_form,
             .body = &submission_body);
PUBLIC_ROUTE(sign_out, METHOD_POST, "/sign-out", USES_STORE, 204, answer_sign_out,
             .body = &body_unread);
