/* GET /: tells people what this service is, and programs where the API is. The page is
 * src/pages/index.html; it is filled in here, so that it is complete without JavaScript, too. The
 * other pages are files, which the front server sends. */
#include "site/address.h"
#include "site/html.h"
#include "site/routes.h"
#include "worker/worker.h"

static const char page[] =
#include "pages/index.inc"
    ;

static void append_value(void *context, struct text name, struct buffer *out)
{
    const struct request *request = context;
    if (text_equals(name, text_of("club")))
        html_append_text(out, text_of(worker_setting_text(request, SETTING_CLUB)));
    if (text_equals(name, text_of("text")))
        html_append_text(out, text_of(worker_setting_text(request, SETTING_CLUB_TEXT)));
    if (text_equals(name, text_of("address")))
        html_append_text(out, text_of(address_of_api(request)));
}

static const struct error *answer(struct exchange *exchange)
{
    html_append_page(&exchange->response->body, page, append_value, exchange->request);
    exchange->response->content_type = "text/html; charset=utf-8";
    return NULL;
}

ROUTE(front_page) = {
    .method = METHOD_GET,
    .path = "/",
    .use = USES_NOTHING,
    .is_tagged = true,
    .status = 200,
    .answer = answer,
};
