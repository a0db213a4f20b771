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

static const char no_spots[] =
    "<tr role=\"row\"><td role=\"cell\" class=\"wide\" colspan=\"5\" data-say>No spots yet.</td>"
    "</tr>\n";

static const char *paragraph(struct exchange *exchange, const char *start, enum club_field field)
{
    struct text text = club_of(exchange)->values[field];
    return text.bytes ? arena_print(exchange->arena, "%s%s</p>\n", start,
                                    page_linked(exchange->arena, text))
                      : "";
}

/* Link and legal notice; nothing if the club says nothing. */
static const char *about_of(struct exchange *exchange)
{
    const struct text *values = club_of(exchange)->values;
    if (!values[CLUB_LINK].bytes && !values[CLUB_LEGAL].bytes)
        return NULL;
    return arena_print(
        exchange->arena,
        "<section class=\"card\" aria-labelledby=\"whose\">\n"
        "<h2 id=\"whose\" data-say>About this club</h2>\n<p><bdi>%s</bdi></p>\n%s%s%s</section>\n",
        html_of(exchange->arena, values[CLUB_NAME]), paragraph(exchange, "<p>", CLUB_LINK),
        values[CLUB_LEGAL].bytes ? "<h3 id=\"legal\" data-say>Legal notice</h3>\n" : "",
        paragraph(exchange, "<p class=\"lines\">", CLUB_LEGAL));
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

static const char *numbers_of(struct exchange *exchange)
{
    struct logbook_counts counts;
    if (!exchange->store || text_equals(club_of(exchange)->values[CLUB_NUMBERS], text_of("off")) ||
        !count_rows(exchange->store, exchange->request->arrived_monotonic_ms, &counts))
        return NULL;
    long long members = (long long)counts.members, qsos = (long long)counts.qsos;
    return arena_print(
        exchange->arena,
        "<p class=\"muted number\"><span data-say=\"{n} member|{n} members\" "
        "data-n=\"%lld\">%lld member%s</span> \xC2\xB7 "
        "<span data-say=\"{n} QSO|{n} QSOs\" data-n=\"%lld\">%lld QSO%s</span></p>\n",
        members, members, members == 1 ? "" : "s", qsos, qsos, qsos == 1 ? "" : "s");
}

static const struct error *answer(struct exchange *exchange)
{
    const char *rows = spot_rows_newest(exchange, SPOTS);
    exchange->is_private = access_find_session(exchange);
    bool is_member = exchange->identity.credential == CREDENTIAL_SESSION;
    const struct page_value values[] = {
        {"text", paragraph(exchange, "<p class=\"lines\">", CLUB_TEXT)},
        {is_member ? "unless:guest" : "unless:member", " hidden"},
        {"numbers", numbers_of(exchange)},
        {"contact", paragraph(exchange, "<p><span data-say>Contact:</span> ", CLUB_CONTACT)},
        {"about", about_of(exchange)},
        {"spots", *rows ? rows : no_spots},
        {NULL, NULL}};
    page_answer(exchange, page, "./", values);
    return NULL;
}

TAGGED_ROUTE(front_page, "/", USES_NOTHING, answer);
