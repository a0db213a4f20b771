/* Shows the pages for signing in, with the error if nobody could be signed in. Forms work without
 * JavaScript: the answer is a redirect, or the page again. A script that sends JSON receives a
 * status. An unknown callsign, a wrong password and a disabled member receive the same answer. */
#include "site/sign_in/outcome.h"

#include <string.h>

#include "base/host.h"
#include "http/error.h"
#include "pages/sign-in.h"
#include "pages/welcome.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/error_page.h"
#include "site/shared/html.h"
#include "site/shared/page.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/routes.h"

const struct outcome_page outcome_sign_in = {sign_in_html, "./"};
const struct outcome_page outcome_welcome = {welcome_html, "../"};

static const char *trouble_of(const struct error *error)
{
    static const struct {
        const struct error *error;
        const char *sentence;
    } rows[] = {
        {&site_error_wrong, "Callsign or password is wrong."},
        {&site_error_cross_site,
         "This browser is too old for this page. Please use a newer browser."},
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

/* Returns the sentence in English, marked with data-say and data-n. The page's script translates
 * it. */
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
                       "<p id=\"trouble\" class=\"fault\" role=\"alert\" data-say=\"%s\" "
                       "data-n=\"%lld\">%s</p>",
                       sentence, (long long)seconds, said);
}

/* Returns whether browsers can use passkeys at the service's own address, which requires a name. */
static bool can_use_passkeys(struct exchange *exchange)
{
    struct web_address own;
    return host_read_address(text_of(address_of_service(exchange)), &own) &&
           !host_is_number(&own.host);
}

void outcome_show(struct exchange *exchange, const struct outcome *outcome)
{
    const bool has_passkeys = can_use_passkeys(exchange), is_typed = outcome->callsign.length > 0;
    const struct page_value values[] = {
        {"trouble", outcome->error ? trouble_html(exchange->arena, outcome->error) : NULL},
        {"callsign", html_of(exchange->arena, outcome->callsign)},
        {"next", html_of(exchange->arena, text_of(outcome->next))},
        {"passkeys", has_passkeys ? "" : NULL},
        {"no-passkeys", has_passkeys ? NULL : ""},
        {"typed", is_typed ? "" : NULL},
        {"new", is_typed ? NULL : ""},
        {"wrong", outcome->error == &site_error_wrong ? "" : NULL},
        {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    buffer_clear(exchange->body);
    page_answer(exchange, outcome->form->html, outcome->form->root, values);
}

void outcome_redirect(struct exchange *exchange, const char *where)
{
    exchange->status = 303;
    exchange->response->content_type = "text/html; charset=utf-8";
    response_add_header(exchange->response, "Location", where);
}

const struct error *outcome_conclude(struct exchange *exchange, const struct outcome *outcome,
                                     const char *where)
{
    const struct error *error = outcome->error;
    const bool wants_page = submission_wants_page(exchange->request);
    if (error && (error->status >= 500 || !wants_page))
        return error;
    if (error) {
        response_set_error(exchange->response, error); /* sets the error's header */
        exchange->status = error->status;
        outcome_show(exchange, outcome);
    } else if (wants_page)
        outcome_redirect(exchange, where);
    return NULL;
}

void outcome_show_error(struct exchange *exchange, const struct error *error)
{
    const struct request *request = exchange->request;
    struct text first = request->segment_count > 0 ? request->segments[0] : (struct text){0};
    bool is_welcome = text_equals(first, text_of("welcome"));
    bool has_form = is_welcome || text_equals(first, text_of("sign-in")) ||
                    text_equals(first, text_of("sign-out"));
    if (!has_form || error->status >= 500)
        error_page_show(exchange, error);
    else if (submission_wants_page(request))
        outcome_show(exchange,
                     &(struct outcome){.form = is_welcome ? &outcome_welcome : &outcome_sign_in,
                                       .error = error,
                                       .next = "profile/"});
}
