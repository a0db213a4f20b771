/* GET /: shows whose service this is, the advantages for members, how to join, and the latest
 * spots. The page is src/web/pages/site/index.html. The page is filled in here, so that the page is
 * complete without JavaScript. Without a logbook, the page shows only the settings. */
#include "base/buffer.h"
#include "pages/index.h"
#include "site/public/routes.h"
#include "site/public/spot_rows.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "site/shared/html.h"
#include "site/shared/page.h"
#include "store/log/logbook_status.h"
#include "store/people/stations.h"

#define SPOTS 8
#define COUNTS_MS 60000 /* time after which rows are counted again */

static const char *said(struct exchange *exchange, enum club_field field)
{
    struct text text = club_of(exchange)->values[field];
    return text.bytes ? html_linked(exchange->arena, text) : NULL;
}

/* Counts the members and QSOs. The counts are at most a minute old, because counting a long log
 * takes time; without QSOs they are always new, so that the first QSO is seen at once. Returns
 * false if the page does not show the counts. */
static bool count_rows(struct exchange *exchange, struct logbook_counts *out)
{
    static struct logbook_counts counts;
    static int64_t counted_ms = INT64_MIN;
    const int64_t now_ms = exchange->request->arrived_monotonic_ms;
    if (!exchange->store || text_equals(club_of(exchange)->values[CLUB_NUMBERS], text_of("off")))
        return false;
    if (counts.qsos == 0 || now_ms < counted_ms || now_ms - COUNTS_MS >= counted_ms) {
        if (store_read_counts(exchange->store, &counts) != STORE_DONE)
            return false;
        counted_ms = now_ms;
    }
    *out = counts;
    return true;
}

static const char *number_of(struct exchange *exchange, int64_t number)
{
    return arena_print(exchange->arena, "%lld", (long long)number);
}

/* The stations that have a public page. */
struct logs {
    struct arena *arena;
    struct buffer items;
    const char *first; /* address of the first station's page */
    int count;
};

static void add_log(void *context, struct text callsign)
{
    struct logs *logs = context;
    const char *path = address_of_log_page(logs->arena, callsign);
    if (logs->count++ == 0)
        logs->first = arena_print(logs->arena, ".%s", path);
    buffer_print(&logs->items, "<li><a href=\".%s\"><bdi>%s</bdi></a></li>\n", path,
                 html_of(logs->arena, callsign));
}

static const struct error *answer(struct exchange *exchange)
{
    const char *rows = spot_rows_newest(exchange, SPOTS);
    struct logbook_counts counts = {0};
    const bool has_counts = count_rows(exchange, &counts);
    struct logs logs = {.arena = exchange->arena};
    if (exchange->store && store_list_log_pages(exchange->store, add_log, &logs) != STORE_DONE)
        logs.count = 0;
    const char *log_items = arena_copy(exchange->arena, logs.items.bytes, logs.items.length);
    buffer_free(&logs.items);
    exchange->is_private = access_find_session(exchange);
    const char *link = said(exchange, CLUB_LINK), *notice = said(exchange, CLUB_LEGAL);
    const struct page_value values[] = {
        {"text", said(exchange, CLUB_TEXT)},
        {"members", has_counts ? number_of(exchange, counts.members) : NULL},
        {"several-members", counts.members == 1 ? NULL : ""},
        {"qsos", number_of(exchange, counts.qsos)},
        {"several-qsos", counts.qsos == 1 ? NULL : ""},
        {"log", logs.count > 1 ? "#logs"
                : logs.count   ? logs.first
                               : NULL},
        {"logs", logs.count > 1 ? log_items : NULL},
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
