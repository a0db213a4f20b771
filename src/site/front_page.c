/* GET /: tells people whose service this is, what they get, how to join, and what was heard last.
 * The page is src/pages/site/index.html; it is filled in here, so that it is complete without
 * JavaScript, too. Without a logbook it says what the settings say. */
#include "pages/index.h"
#include "site/access.h"
#include "site/address.h"
#include "site/page.h"
#include "site/routes.h"
#include "site/spots.h"
#include "store/logbook.h"

#define SPOTS 8
#define COUNTS_MS 60000 /* rows are counted once a minute */

static const char *said(struct exchange *exchange, enum club_field field)
{
    struct text text = club_of(exchange)->values[field];
    return text.bytes ? page_linked(exchange->arena, text) : NULL;
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
    const char *link = said(exchange, CLUB_LINK), *notice = said(exchange, CLUB_LEGAL);
    const struct page_value values[] = {{"text", said(exchange, CLUB_TEXT)},
                                        {"numbers", numbers_of(exchange)},
                                        {"contact", said(exchange, CLUB_CONTACT)},
                                        {"about", link || notice ? "" : NULL},
                                        {"link", link},
                                        {"notice", notice},
                                        {"spots", rows},
                                        {"no-spots", *rows ? NULL : ""},
                                        {NULL, NULL}};
    page_answer(exchange, index_html, "./", values);
    return NULL;
}

TAGGED_ROUTE(front_page, "/", USES_NOTHING, answer);
