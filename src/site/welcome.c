/* GET and POST /welcome/: a link signs a member in, once. The link carries its secret behind "#",
 * where it gets into no log: the page's script sends it from there, or a person types it into the
 * page's field. What each kind of link allows is left to the store. */
#include <string.h>

#include "site/guesses.h"
#include "site/letting_in.h"
#include "site/routes.h"
#include "site/site_error.h"
#include "site/submission.h"

static const char *const fields[] = {"token", NULL};

static const struct error *answer_page(struct exchange *exchange)
{
    const struct sign_in_attempt attempt = {.trouble = SIGN_IN_FINE};
    welcome_page_answer(exchange, &attempt);
    return NULL;
}

/* A whole link that somebody has pasted counts as well. */
static struct text secret_in(struct text pasted)
{
    struct text secret = text_trim(pasted);
    const char *mark = secret.bytes ? memrchr(secret.bytes, '#', secret.length) : NULL;
    if (!mark)
        return secret;
    return (struct text){mark + 1, secret.length - (size_t)(mark + 1 - secret.bytes)};
}

static const struct error *use_link(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    struct guess guess;
    const struct error *error = letting_in_check(exchange);
    if (!error)
        error = submission_read(exchange, fields, values);
    if (!error && !values[0].bytes)
        error =
            error_with_details(exchange->arena, &error_validation_failed, fields[0], "is required");
    if (!error)
        error = guess_begin(&guess, exchange->request, &(struct guess_target){.member_id = 0});
    if (error)
        return error;
    error = letting_in_by_link(exchange, secret_in(values[0]));
    guess_end(&guess, error == &site_error_link_unknown);
    return error;
}

static const struct error *answer_form(struct exchange *exchange)
{
    const struct sign_in_attempt none = {.trouble = SIGN_IN_FINE};
    const struct error *error = use_link(exchange);
    if (error)
        return letting_in_refuse(exchange, error, &none, welcome_page_answer);
    if (submission_wants_page(exchange->request))
        letting_in_redirect(exchange, "../profile/");
    return NULL;
}

ROUTE(welcome_page) = {
    .method = METHOD_GET,
    .path = "/welcome/",
    .use = USES_NOTHING,
    .status = 200,
    .answer = answer_page,
};
ROUTE(welcome) = {
    .method = METHOD_POST,
    .path = "/welcome/",
    .use = USES_STORE,
    .status = 204,
    .answer = answer_form,
};
