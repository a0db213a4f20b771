/* GET /profile/: the page, for a browser that is signed in; the others are sent to sign in. What
 * the page shows it asks for by itself, below /profile/data; what is in it beside that is left to
 * page.c. */
#include <string.h>

#include "site/access.h"
#include "site/letting_in.h"
#include "site/page.h"
#include "site/routes.h"
#include "site/session.h"

static const char page[] =
#include "pages/profile.inc"
    ;

/* A browser that follows a link of another site leaves the cookie out (SameSite=Strict), and so it
 * does when that page is loaded again. A page of ours that sends it here once more is followed with
 * the cookie; "r" says that this was done. */
static bool may_have_left_cookie_out(struct exchange *exchange)
{
    const char *site = gateway_variable(exchange->request->gateway, "HTTP_SEC_FETCH_SITE");
    return !session_has_cookie(exchange) && site && *site && strcmp(site, "same-origin") != 0 &&
           !text_equals(exchange->request->query, text_of("r"));
}

static const struct error *answer(struct exchange *exchange)
{
    exchange->is_private = true;
    if (access_find_session(exchange)) {
        page_answer(exchange, page, "../", NULL, NULL);
    } else if (may_have_left_cookie_out(exchange)) {
        response_add_header(exchange->response, "Refresh", "0; url=./?r");
        page_opening_answer(exchange, "../", "./?r");
    } else {
        if (session_has_cookie(exchange)) /* it has ended */
            session_end_cookie(exchange);
        letting_in_redirect(exchange, "../sign-in?next=profile/");
    }
    return NULL;
}

ROUTE(profile_page) = {
    .method = METHOD_GET,
    .path = "/profile/",
    .use = USES_SNAPSHOT,
    .status = 200,
    .answer = answer,
};
