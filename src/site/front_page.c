/* GET /: what this service is. The page is src/pages/index.html; it is filled in here, so that it
 * says everything to browsers without JavaScript, too. */
#include <string.h>

#include "site/address.h"
#include "site/route.h"
#include "worker/worker.h"

static const char page[] =
#include "pages/index.inc"
    ;

/* The content of an HTML element or of an attribute in quotes. */
static void append_html(struct buffer *out, const char *text)
{
    static const struct {
        char character;
        const char *written;
    } special[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
    };
    for (; *text; text++) {
        size_t i = 0;
        while (i < sizeof special / sizeof *special && special[i].character != *text)
            i++;
        if (i < sizeof special / sizeof *special)
            buffer_append_string(out, special[i].written);
        else
            buffer_append(out, text, 1);
    }
}

static const char *value_of(const struct request *request, struct text name)
{
    if (text_equals(name, text_of("club")))
        return worker_setting_text(request, SETTING_CLUB);
    if (text_equals(name, text_of("text")))
        return worker_setting_text(request, SETTING_CLUB_TEXT);
    if (text_equals(name, text_of("address")))
        return address_of_api(request);
    return "";
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    const char *at = page, *start;
    while ((start = strstr(at, "{{")) != NULL) {
        const char *end = strstr(start, "}}");
        if (!end)
            break;
        struct text name = {start + 2, (size_t)(end - start) - 2};
        buffer_append(body, at, (size_t)(start - at));
        append_html(body, value_of(exchange->request, name));
        at = end + 2;
    }
    buffer_append_string(body, at);
    exchange->response->content_type = "text/html; charset=utf-8";
    return NULL;
}

const struct route route_front_page = {
    .method = METHOD_GET,
    .path = "/",
    .use = ROUTE_USES_NOTHING,
    .is_tagged = true,
    .status = 200,
    .answer = answer,
};
