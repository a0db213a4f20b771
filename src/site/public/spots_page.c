/* GET /cluster/list: the spots as a plain table, for browsers without JavaScript. The page is
 * src/web/pages/cluster/list.html. */
#include "pages/list.h"
#include "site/public/routes.h"
#include "site/public/spot_list.h"
#include "site/public/spot_rows.h"
#include "site/shared/access.h"
#include "site/shared/page.h"

static const struct error *answer_page(struct exchange *exchange)
{
    bool is_of_band = exchange->route == &route_spots_page_of_band;
    struct spot_list list = {.exchange = exchange, .query = spot_list_any, .most = SPOT_LIST_MAX};
    if (is_of_band)
        list.query.band = spot_list_read_band(exchange);
    const char *rows = spot_rows_of(&list);
    const struct page_value values[] = {
        {"n", arena_print(exchange->arena, "%lld", (long long)list.count)},
        {"none", list.count == 0 ? "" : NULL},
        {"newest", list.count == SPOT_LIST_MAX ? "" : NULL},
        {"all", list.count > 0 && list.count < SPOT_LIST_MAX ? "" : NULL},
        {"several", list.count == 1 ? NULL : ""},
        {"rows", rows},
        {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, list_html, is_of_band ? "../../" : "../", values);
    return list.error;
}

TAGGED_ROUTE(spots_page, "/cluster/list", USES_SNAPSHOT, answer_page);
TAGGED_ROUTE(spots_page_of_band, "/cluster/list/{band}", USES_SNAPSHOT, answer_page);
