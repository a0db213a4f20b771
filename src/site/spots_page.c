/* GET /cluster/list: the spots as a plain table, for browsers without JavaScript. The page is
 * src/pages/list.html; src/pages/cluster.js makes the same rows for all others. Which spots these
 * are is left to spot_list.c. */
#include "site/access.h"
#include "site/page.h"
#include "site/spot_list.h"
#include "site/spot_rows.h"

#define BAND_SEGMENT 2 /* /cluster/list/{band} */

static const char page[] =
#include "pages/list.inc"
    ;

/* -- The page ---------------------------------------------------------------------------------- */

static void append_summary(struct buffer *out, int64_t count)
{
    if (count == 0)
        buffer_append_string(out, "<span data-say>No spots.</span>");
    else if (count == SPOT_LIST_MAX)
        buffer_print(out, "<span data-say=\"The newest {n} spots.\" data-n=\"%d\">", SPOT_LIST_MAX);
    else
        buffer_print(out, "<span data-say=\"{n} spot.|{n} spots.\" data-n=\"%d\">", (int)count);
    if (count == SPOT_LIST_MAX)
        buffer_print(out, "The newest %d spots.</span>", SPOT_LIST_MAX);
    else if (count > 0)
        buffer_print(out, "%d spot%s.</span>", (int)count, count == 1 ? "" : "s");
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    const struct spot_list *list = context;
    if (text_equals(name, text_of("summary")))
        append_summary(out, list->count);
    if (text_equals(name, text_of("rows")))
        buffer_append(out, list->out->bytes, list->out->length);
}

static const struct error *answer_page(struct exchange *exchange, const char *band,
                                       const char *root)
{
    struct buffer rows = {0};
    struct spot_list list = {
        .wishes = {.band = band}, .most = SPOT_LIST_MAX, .append = spot_rows_append, .out = &rows};
    const struct error *error = spot_list_append(exchange, &list);
    exchange->is_private = access_find_session(exchange);
    if (!error)
        page_answer(exchange, page, root, append_value, &list);
    buffer_free(&rows);
    return error;
}

static const struct error *answer_all(struct exchange *exchange)
{
    return answer_page(exchange, NULL, "../");
}

static const struct error *answer_band(struct exchange *exchange)
{
    return answer_page(exchange, spot_list_band_of_path(exchange, BAND_SEGMENT), "../../");
}

ROUTE(spots_page) = {
    .method = METHOD_GET,
    .path = "/cluster/list",
    .use = USES_SNAPSHOT,
    .is_tagged = true,
    .status = 200,
    .answer = answer_all,
};

ROUTE(spots_page_of_band) = {
    .method = METHOD_GET,
    .path = "/cluster/list/{band}",
    .use = USES_SNAPSHOT,
    .is_tagged = true,
    .status = 200,
    .answer = answer_band,
};
