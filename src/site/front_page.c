/* GET /: tells people whose service this is and what was heard last, and programs where the API is.
 * The page is src/pages/index.html; it is filled in here, so that it is complete without
 * JavaScript, too. Without a logbook it says what the settings say. */
#include "site/access.h"
#include "site/address.h"
#include "site/club.h"
#include "site/page.h"
#include "site/routes.h"
#include "site/spot_list.h"
#include "site/spot_rows.h"

#define SPOTS 5

static const char page[] =
#include "pages/index.inc"
    ;

struct filling {
    struct exchange *exchange;
    const struct club *club;
    struct buffer spots;
};

static void append_paragraph(struct buffer *out, const char *start, struct text text)
{
    if (!text.bytes)
        return;
    buffer_append_string(out, start);
    page_append_linked(out, text);
    buffer_append_string(out, "</p>\n");
}

/* Contact and legal notice; nothing where the club says nothing. */
static void append_about(const struct filling *filling, struct buffer *out)
{
    const struct text *values = filling->club->values;
    if (!values[CLUB_LINK].bytes && !values[CLUB_CONTACT].bytes && !values[CLUB_LEGAL].bytes)
        return;
    buffer_append_string(out, "<section class=\"card\" aria-labelledby=\"whose\">\n"
                              "<h2 id=\"whose\" data-say>Whose service this is</h2>\n<p><bdi>");
    html_append_text(out, values[CLUB_NAME]);
    buffer_append_string(out, "</bdi></p>\n");
    append_paragraph(out, "<p>", values[CLUB_LINK]);
    append_paragraph(out, "<p><span data-say>Contact:</span> ", values[CLUB_CONTACT]);
    if (values[CLUB_LEGAL].bytes)
        buffer_append_string(out, "<h3 id=\"legal\" data-say>Legal notice</h3>\n");
    append_paragraph(out, "<p class=\"lines\">", values[CLUB_LEGAL]);
    buffer_append_string(out, "</section>\n");
}

static void append_spots(const struct filling *filling, struct buffer *out)
{
    if (filling->spots.length > 0)
        buffer_append(out, filling->spots.bytes, filling->spots.length);
    else
        buffer_append_string(out, "<tr role=\"row\"><td role=\"cell\" class=\"wide\" colspan=\"5\" "
                                  "data-say>No spots yet.</td></tr>\n");
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    struct filling *filling = context;
    if (text_equals(name, text_of("text")))
        append_paragraph(out, "<p class=\"lines\">", filling->club->values[CLUB_TEXT]);
    if (text_equals(name, text_of("address")))
        html_append_text(out, text_of(address_of_api(filling->exchange)));
    if (text_equals(name, text_of("about")))
        append_about(filling, out);
    if (text_equals(name, text_of("spots")))
        append_spots(filling, out);
}

static const struct error *answer(struct exchange *exchange)
{
    struct filling filling = {.exchange = exchange, .club = club_of(exchange)};
    struct spot_list list = {.most = SPOTS, .append = spot_rows_append, .out = &filling.spots};
    if (exchange->store)
        spot_list_append(exchange, &list);
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, page, "./", append_value, &filling);
    buffer_free(&filling.spots);
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
