/* GET /: tells people whose service this is, what they get, how to join, and what was heard last.
 * The page is src/pages/site/index.html; it is filled in here, so that it is complete without
 * JavaScript, too. Without a logbook it says what the settings say. */
#include "site/access.h"
#include "site/address.h"
#include "site/page.h"
#include "site/routes.h"
#include "site/spots.h"
#include "store/logbook.h"

#define SPOTS 8
#define COUNTS_MS 60000 /* rows are counted once a minute */

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

/* Link and legal notice; nothing if the club says nothing. */
static void append_about(const struct filling *filling, struct buffer *out)
{
    const struct text *values = filling->club->values;
    if (!values[CLUB_LINK].bytes && !values[CLUB_LEGAL].bytes)
        return;
    buffer_append_string(out, "<section class=\"card\" aria-labelledby=\"whose\">\n"
                              "<h2 id=\"whose\" data-say>About this club</h2>\n<p><bdi>");
    html_append_text(out, values[CLUB_NAME]);
    buffer_append_string(out, "</bdi></p>\n");
    append_paragraph(out, "<p>", values[CLUB_LINK]);
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

/* As they were at most a minute ago: counting is work for a long log. */
static bool count_rows(struct store *store, int64_t now_ms, struct logbook_counts *out)
{
    static struct logbook_counts counts;
    static int64_t counted_ms = INT64_MIN;
    if (now_ms < counted_ms || now_ms - COUNTS_MS >= counted_ms) {
        if (store_read_counts(store, &counts) != STORE_DONE)
            return false;
        counted_ms = now_ms;
    }
    *out = counts;
    return true;
}

static void append_numbers(const struct filling *filling, struct buffer *out)
{
    const struct exchange *exchange = filling->exchange;
    struct logbook_counts counts;
    if (!exchange->store || text_equals(filling->club->values[CLUB_NUMBERS], text_of("off")) ||
        !count_rows(exchange->store, exchange->request->arrived_monotonic_ms, &counts))
        return;
    long long members = (long long)counts.members, qsos = (long long)counts.qsos;
    buffer_print(out,
                 "<p class=\"muted number\"><span data-say=\"{n} member|{n} members\" "
                 "data-n=\"%lld\">%lld member%s</span> \xC2\xB7 "
                 "<span data-say=\"{n} QSO|{n} QSOs\" data-n=\"%lld\">%lld QSO%s</span></p>\n",
                 members, members, members == 1 ? "" : "s", qsos, qsos, qsos == 1 ? "" : "s");
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    struct filling *filling = context;
    bool is_member = filling->exchange->identity.credential == CREDENTIAL_SESSION;
    if (text_equals(name, text_of("text")))
        append_paragraph(out, "<p class=\"lines\">", filling->club->values[CLUB_TEXT]);
    if (text_equals(name, text_of(is_member ? "unless:guest" : "unless:member")))
        buffer_append_string(out, " hidden");
    if (text_equals(name, text_of("numbers")))
        append_numbers(filling, out);
    if (text_equals(name, text_of("contact")))
        append_paragraph(out, "<p><span data-say>Contact:</span> ",
                         filling->club->values[CLUB_CONTACT]);
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

TAGGED_ROUTE(front_page, "/", USES_NOTHING, answer);
