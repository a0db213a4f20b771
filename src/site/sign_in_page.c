/* Shows the forms that let members in, src/pages/site/sign-in.html and welcome.html, with what was
 * wrong with an attempt. They work without JavaScript; with it, the same sentences are said in the
 * reader's language. What is right and wrong is decided elsewhere. */
#include "site/sign_in_page.h"

#include <string.h>

#include "site/access.h"
#include "site/page.h"

static const char sign_in[] =
#include "pages/sign-in.inc"
    ;
static const char welcome[] =
#include "pages/welcome.inc"
    ;

static const char *const sentences[SIGN_IN_TROUBLES] = {
    [SIGN_IN_FINE] = "",
    [SIGN_IN_WRONG] = "Callsign or password is wrong.",
    [SIGN_IN_TOO_MANY] = "Too many attempts. Please wait {n} s.",
    [SIGN_IN_FOREIGN] = "This browser is too old for this page. Please use a newer one.",
    [SIGN_IN_MALFORMED] = "The service couldn't read this. Please try again.",
    [SIGN_IN_NOT_ENCRYPTED] = "Signing in needs an address that starts with https.",
    [SIGN_IN_LINK_UNKNOWN] = "This link is not from this service, or part of it is missing.",
    [SIGN_IN_LINK_USED] = "This link was already used. Each link works once.",
    [SIGN_IN_LINK_EXPIRED] = "This link has expired.",
    [SIGN_IN_LINK_REPLACED] = "A newer link has replaced this one.",
};

/* In English; the page's script says it in the reader's language, by data-say and data-n. */
static void append_trouble(const struct sign_in_attempt *attempt, struct buffer *out)
{
    const char *sentence = sentences[attempt->trouble];
    const char *place = strstr(sentence, "{n}");
    if (attempt->trouble == SIGN_IN_FINE)
        return;
    buffer_print(out,
                 "<p id=\"trouble\" class=\"note bad\" role=\"alert\" data-say=\"%s\" "
                 "data-n=\"%d\">",
                 sentence, (int)attempt->wait_seconds);
    if (place)
        buffer_print(out, "%.*s%d%s", (int)(place - sentence), sentence, (int)attempt->wait_seconds,
                     place + 3);
    else
        buffer_append_string(out, sentence);
    buffer_append_string(out, "</p>");
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    const struct sign_in_attempt *attempt = context;
    if (text_equals(name, text_of("trouble")))
        append_trouble(attempt, out);
    if (text_equals(name, text_of("callsign")))
        html_append_text(out, attempt->callsign);
    if (text_equals(name, text_of("next")))
        html_append_text(out, attempt->next);
}

static void answer(struct exchange *exchange, const char *page, const char *root,
                   const struct sign_in_attempt *attempt)
{
    struct sign_in_attempt shown = *attempt;
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, page, root, append_value, &shown);
}

void sign_in_page_answer(struct exchange *exchange, const struct sign_in_attempt *attempt)
{
    answer(exchange, sign_in, "./", attempt);
}

void welcome_page_answer(struct exchange *exchange, const struct sign_in_attempt *attempt)
{
    answer(exchange, welcome, "../", attempt);
}
