/* GET /operator/data/me and log: who is signed in here, for how long the password that was given
 * counts, and the acts of operators, newest first. They are noted by the store, in the transaction
 * of each act (store/operator_log.c). */
#include "json/write.h"
#include "site/operator.h"
#include "store/operator_log.h"
#include "store/sessions.h"

#define ACTS_PAGE 50

static const struct error *answer_me(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    buffer_append(body, "{", 1);
    json_write_text(body, "callsign", exchange->member.callsign);
    json_write_number_text(body, "number", exchange->member.id);
    json_write_time(body, "provedUntil", exchange->identity.proved_at_ms + SESSION_PROOF_MS);
    buffer_append(body, "}", 1);
    return NULL;
}

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
    json_write_element(page->body);
    buffer_append(page->body, "{", 1);
    json_write_time(page->body, "at", act->at_ms);
    json_write_text(page->body, "operator", act->operator);
    json_write_text(page->body, "act", act->act);
    json_write_text(page->body, "subject", act->subject);
    json_write_text(page->body, "details", act->details);
    buffer_append(page->body, "}", 1);
    page->last = act->number;
}

static const struct error *answer_log(struct exchange *exchange)
{
    struct page page = {.body = &exchange->response->body};
    struct text value;
    int64_t before = 0;
    const char *message = request_find_parameter(exchange->request, "before", &value);
    if (message || (value.bytes && !text_parse_integer(value, 1, INT64_MAX, &before)))
        return profile_refuse(exchange, "before", message ? message : "must be a number");
    buffer_append_string(page.body, "{\"items\":[");
    const struct error *error = profile_store_error(
        store_list_operator_acts(exchange->store, before, ACTS_PAGE + 1, add_act, &page));
    buffer_append(page.body, "]", 1);
    if (page.more)
        json_write_number_text(page.body, "next", page.last);
    else
        json_write_null(page.body, "next");
    buffer_append(page.body, "}", 1);
    return error;
}

OPERATOR_ROUTE(operator_me, METHOD_GET, "me", USES_SNAPSHOT, 200, answer_me);
OPERATOR_ROUTE(operator_acts, METHOD_GET, "log", USES_SNAPSHOT, 200, answer_log);
