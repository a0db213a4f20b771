/* GET /log/STATION: a station's public page, which the station can switch off. log_worked.c and
 * log_summary.c answer with the page's data. */
#include "site/public/log_page.h"

#include <string.h>

#include "pages/station.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/club.h"
#include "site/shared/html.h"
#include "site/shared/page.h"
#include "store/people/stations.h"

const struct error *log_page_find_station(struct exchange *exchange)
{
    enum store_result result =
        store_find_log_page(exchange->store, exchange->arena,
                            exchange->request->segments[LOG_PAGE_SEGMENT], &exchange->identity);
    if (result == STORE_DONE)
        response_add_header(exchange->response, "X-Robots-Tag", "noindex");
    return route_find_error(result, &error_not_found);
}

/* Joins the segments of the callsign. A callsign in its usual spelling can have several segments:
 * /log/14/AT0/worked. */
void log_page_simplify_path(struct request *request)
{
    struct text *segments = request->segments;
    size_t end = request->segment_count;
    if (end <= LOG_PAGE_SEGMENT + 1 || end > REQUEST_SEGMENTS_MAX ||
        !text_equals(segments[0], text_of("log")))
        return;
    const struct text last = segments[end - 1];
    const bool has_data =
        text_equals(last, text_of("worked")) || text_equals(last, text_of("summary"));
    end -= has_data;
    struct text callsign = segments[LOG_PAGE_SEGMENT];
    for (size_t i = LOG_PAGE_SEGMENT + 1; i < end; i++) {
        const size_t length = callsign.length + 1 + segments[i].length;
        if (callsign.length == 0 || segments[i].length == 0)
            return;
        char *joined = arena_allocate(request->arena, length);
        memcpy(joined, callsign.bytes, callsign.length);
        joined[callsign.length] = '/';
        memcpy(joined + callsign.length + 1, segments[i].bytes, segments[i].length);
        callsign = (struct text){joined, length};
    }
    segments[LOG_PAGE_SEGMENT] = callsign;
    segments[LOG_PAGE_SEGMENT + 1] = last;
    request->segment_count = LOG_PAGE_SEGMENT + 1 + has_data;
}

static const struct error *answer_page(struct exchange *exchange)
{
    TRY(log_page_find_station(exchange));
    const struct text contact = club_of(exchange)->values[CLUB_CONTACT];
    const struct page_value values[] = {
        {"station", html_of(exchange->arena, exchange->identity.callsign)},
        {"locator", html_of(exchange->arena, exchange->identity.locator)},
        {"contact", contact.bytes ? html_linked(exchange->arena, contact) : NULL},
        {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, station_html, page_find_root(exchange->request), values);
    return NULL;
}

LOG_ROUTE(log_page, "", answer_page, .is_tagged = true);
