/* GET /profile/: the page for a signed-in browser; other browsers are redirected to sign in. The
 * page loads its data from below /profile/data. */
#include <string.h>

#include "pages/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/device_cookie.h"
#include "site/shared/page.h"
#include "site/shared/session.h"
#include "site/sign_in/outcome.h"

/* Returns whether the browser could have a cookie that it did not send. A browser that follows a
 * link from another site omits the cookie (SameSite=Strict), even if the page is reloaded. If one
 * of our pages then opens this page again, the browser sends the cookie. The query "r" marks that
 * second request, so that it is made only once. */
static bool may_have_left_cookie_out(struct exchange *exchange)
{
    const char *site = gateway_variable(exchange->request->gateway, "HTTP_SEC_FETCH_SITE");
    return !session_cookie(exchange).bytes && site && *site && strcmp(site, "same-origin") != 0 &&
           !text_equals(exchange->request->query, text_of("r"));
}

static const struct error *answer_page(struct exchange *exchange)
{
    exchange->is_private = true;
    if (access_find_session(exchange)) {
        page_answer(exchange, profile_html, "../", NULL);
    } else if (may_have_left_cookie_out(exchange)) {
        response_add_header(exchange->response, "Refresh", "0; url=./?r");
        page_opening_answer(exchange, "../", "./?r");
    } else {
        if (session_cookie(exchange).bytes) /* The session has ended. */
            device_cookie_end_session(exchange, 0);
        outcome_redirect(exchange, "../sign-in?next=profile/");
    }
    return NULL;
}

PUBLIC_ROUTE(profile_page, METHOD_GET, "/profile/", USES_SNAPSHOT, 200, answer_page);
