/* GET and POST /sign-in, by callsign and password, and POST /sign-out. A form works without
 * JavaScript and is answered with a redirect or the page again; a script that sends JSON gets a
 * status. An unknown callsign, a wrong password and a disabled member are answered alike, after the
 * same work. What keeps people from guessing is left to guesses.c. */
#include <string.h>

#include "base/password.h"
#include "site/access.h"
#include "site/guesses.h"
#include "site/letting_in.h"
#include "site/routes.h"
#include "site/session.h"
#include "site/site_error.h"
#include "site/submission.h"
#include "store/sessions.h"

enum { CALLSIGN, PASSWORD, NEXT };
static const char *const fields[] = {"callsign", "password", "next", NULL};

/* -- Where to go from here --------------------------------------------------------------------- */

/* A page of ours that wants a member, with a section of it and what is looked for there; never a
 * way out of this service. */
static bool is_safe(struct text next)
{
    static const char *const pages[] = {"profile/", "operator/", "app/"};
    static const char section[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_.~?=&%+*";
    for (size_t i = 0; next.bytes && i < sizeof pages / sizeof *pages; i++) {
        size_t length = strlen(pages[i]);
        if (next.length < length || memcmp(next.bytes, pages[i], length) != 0)
            continue;
        for (size_t at = length + 1; at < next.length; at++)
            if (!memchr(section, next.bytes[at], sizeof section - 1))
                return false;
        return next.length == length || next.bytes[length] == '#';
    }
    return false;
}

static struct text choose_next(struct text next)
{
    if (next.length > 0 && next.bytes[0] == '/')
        next = (struct text){next.bytes + 1, next.length - 1};
    return is_safe(next) ? next : text_of("profile/");
}

static void redirect_to(struct exchange *exchange, struct text next)
{
    letting_in_redirect(exchange, arena_copy(exchange->arena, next.bytes, next.length));
}

/* -- The page ---------------------------------------------------------------------------------- */

static const struct error *answer_page(struct exchange *exchange)
{
    struct sign_in_attempt attempt = {.trouble = SIGN_IN_FINE};
    struct text next;
    if (request_find_parameter(exchange->request, "next", &next) != NULL)
        next = (struct text){0};
    attempt.next = choose_next(next);
    exchange->is_private = true;
    if (access_find_session(exchange))
        redirect_to(exchange, attempt.next);
    else
        sign_in_page_answer(exchange, &attempt);
    return NULL;
}

/* -- The form ---------------------------------------------------------------------------------- */

/* *has_failed: it was a guess. */
static const struct error *try_password(struct exchange *exchange, const struct sign_in *found,
                                        struct text password, bool *has_failed)
{
    bool is_right = password_verify(password, found->password_hash);
    *has_failed = !is_right || !found->member_is_active;
    if (*has_failed)
        return &site_error_wrong;
    const struct error *error = letting_in_by_password(exchange, found);
    *has_failed = error == &site_error_wrong;
    return error;
}

static const struct error *guess_password(struct exchange *exchange, const struct text *values)
{
    struct guess guess;
    struct sign_in found = {0};
    struct identity identity;
    bool has_failed = false;
    enum store_result result =
        store_find_sign_in(exchange->store, exchange->arena, text_trim(values[CALLSIGN]), &found);
    if (result != STORE_DONE && result != STORE_NONE)
        return result == STORE_BUSY ? &error_busy : &error_internal;
    const struct guess_target target = {
        .name = values[CALLSIGN],
        .member_id = found.member_id,
        .is_signed_in = found.member_id && session_find(exchange, &identity) == STORE_DONE &&
                        identity.member_id == found.member_id,
    };
    const struct error *error = guess_begin(&guess, exchange->request, &target);
    if (error)
        return error;
    error = try_password(exchange, &found, values[PASSWORD], &has_failed);
    guess_end(&guess, has_failed);
    return error;
}

static const struct error *sign_in(struct exchange *exchange, struct text *values)
{
    const struct error *error = letting_in_check(exchange);
    if (!error)
        error = submission_read(exchange, fields, values);
    if (!error && (!values[CALLSIGN].bytes || !values[PASSWORD].bytes))
        error = error_with_details(exchange->arena, &error_validation_failed,
                                   values[CALLSIGN].bytes ? "password" : "callsign", "is required");
    return error ? error : guess_password(exchange, values);
}

static const struct error *answer_form(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    const struct error *error = sign_in(exchange, values);
    struct text next = choose_next(values[NEXT]);
    if (error) {
        const struct sign_in_attempt attempt = {.callsign = values[CALLSIGN], .next = next};
        return letting_in_refuse(exchange, error, &attempt, sign_in_page_answer);
    }
    if (submission_wants_page(exchange->request))
        redirect_to(exchange, next);
    return NULL;
}

/* -- Out --------------------------------------------------------------------------------------- */

static const struct error *answer_sign_out(struct exchange *exchange)
{
    struct identity identity;
    const struct sign_in_attempt none = {.next = choose_next((struct text){0})};
    const struct error *error = origin_check(exchange);
    enum store_result result = error ? STORE_NONE : session_find(exchange, &identity);
    if (result == STORE_DONE)
        result = store_end_session(exchange->store, identity.member_id, identity.key_number);
    if (!error && result != STORE_DONE && result != STORE_NONE)
        error = result == STORE_BUSY ? &error_busy : &error_internal;
    if (error)
        return letting_in_refuse(exchange, error, &none, sign_in_page_answer);
    session_end_cookie(exchange);
    if (submission_wants_page(exchange->request))
        redirect_to(exchange, text_of("./"));
    return NULL;
}

ROUTE(sign_in_page) = {
    .method = METHOD_GET,
    .path = "/sign-in",
    .use = USES_SNAPSHOT,
    .status = 200,
    .answer = answer_page,
};
ROUTE(sign_in) = {
    .method = METHOD_POST,
    .path = "/sign-in",
    .use = USES_STORE,
    .status = 204,
    .answer = answer_form,
};
ROUTE(sign_out) = {
    .method = METHOD_POST,
    .path = "/sign-out",
    .use = USES_STORE,
    .status = 204,
    .answer = answer_sign_out,
};
