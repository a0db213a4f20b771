/* GET /operator/data/log: the acts of operators, newest first. The store records each act in the
 * act's own transaction (store/operator_log.c). */
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/routes.h"
#include "store/operator_log.h"
#include "worker/input.h"

#define ACTS_PAGE 50

struct page {
    struct buffer *body;
    int64_t count, last;
    bool more;
};

static void add_act(void *context, const struct operator_act *act)
{
    struct page *page = context;
    page->more = page->count++ >= ACTS_PAGE;
    if (page->more)
        return;
    json_write_item(page->body, json_time("at", act->at_ms), json_text("operator", act->operator),
                    json_text("act", act->act), json_text("subject", act->subject),
                    json_text("details", act->details));
    page->last = act->number;
}

static const struct error *answer_log(struct exchange *exchange)
{
    struct page page = {.body = exchange->body};
    int64_t before = 0;
    TRY(input_read_integer(exchange, "before", 1, INT64_MAX, &before));
    json_begin_array(page.body, "items");
    const struct error *error = profile_store_error(
        store_list_operator_acts(exchange->store, before, ACTS_PAGE + 1, add_act, &page));
    buffer_append(page.body, "]", 1);
    json_write_fields(page.body, json_number_or_null("next", page.more ? page.last : 0));
    return error;
}

OPERATOR_ROUTE(operator_acts, METHOD_GET, "log", 200, answer_log);
