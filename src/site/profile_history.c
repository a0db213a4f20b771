/* The history of the member's log to look at: who wrote into it, what each changed, what became of
 * one QSO, and what was deleted. Taking back is in profile_undo.c; how acts and changes look in
 * JSON is shared with the operator's command (src/transfer/everything.c). */
#include "json/write.h"
#include "qso/log_order.h"
#include "qso/render.h"
#include "site/profile.h"
#include "store/acts.h"
#include "transfer/everything.h"
#include "worker/worker.h"

#define QSO_CHANGES_MAX 200

/* A list of which one page is answered. */
struct page {
    struct exchange *exchange;
    struct buffer *body;
    int64_t limit, count;
    int64_t last; /* number of the act, of a list of acts */
};

static const struct error *begin_page(struct exchange *exchange, struct page *page, int64_t *first,
                                      int64_t *second)
{
    struct text cursor;
    *page = (struct page){.exchange = exchange, .body = &exchange->response->body};
    const struct error *error = profile_read_limit(exchange, &page->limit);
    if (!error)
        error = profile_read_parameter(exchange, "after", &cursor);
    if (error || !cursor.bytes)
        return error;
    return cursor_parse(cursor, first, second)
               ? NULL
               : profile_refuse(exchange, "after", "must be the nextCursor of the previous page");
}

static void end_page(struct page *page, bool more, int64_t first, int64_t second)
{
    char cursor[CURSOR_LENGTH];
    if (more)
        cursor_format(first, second, cursor);
    buffer_append(page->body, "]", 1);
    json_write_text(page->body, "nextCursor",
                    more ? (struct text){cursor, sizeof cursor} : (struct text){0});
    buffer_append(page->body, "}", 1);
}

/* -- Acts -------------------------------------------------------------------------------------- */

/* One more than the page holds tells whether another page follows. */
static void add_act(void *context, const struct act *act)
{
    struct page *page = context;
    if (page->count++ >= page->limit)
        return;
    json_write_element(page->body);
    history_append_act(act, page->body);
    page->last = act->number;
}

static const struct error *answer_acts(struct exchange *exchange)
{
    struct page page;
    int64_t from = INT64_MAX, unused;
    const struct error *error = begin_page(exchange, &page, &from, &unused);
    if (error)
        return error;
    buffer_append(page.body, "{", 1);
    json_write_integer(page.body, "days",
                       worker_setting_number(exchange->request, SETTING_HISTORY_DAYS));
    json_begin_array(page.body, "items");
    enum store_result result = store_list_acts(exchange->store, exchange->member.id, from,
                                               INT64_MIN, page.limit + 1, add_act, &page);
    end_page(&page, page.count > page.limit, page.last - 1, 0);
    return profile_store_error(result);
}

/* -- Changes ----------------------------------------------------------------------------------- */

static void add_change(void *context, const struct change *change)
{
    struct page *page = context;
    json_begin_item(page->body);
    history_write_change(change, page->body);
    buffer_append(page->body, "}", 1);
}

static const struct error *answer_act(struct exchange *exchange)
{
    struct page page;
    struct act act;
    struct change_position position = {0};
    bool last;
    const struct error *error = begin_page(exchange, &page, &position.edit, &position.qso_id);
    if (!error)
        error = profile_store_error(store_find_act(exchange->store, exchange->arena,
                                                   exchange->member.id, exchange->number, &act));
    if (error)
        return error;
    buffer_append_string(page.body, "{\"act\":");
    history_append_act(&act, page.body);
    json_begin_array(page.body, "items");
    enum store_result result = store_list_changes(exchange->store, exchange->member.id, &act,
                                                  page.limit, &position, add_change, &page, &last);
    end_page(&page, !last, position.edit, position.qso_id);
    return profile_store_error(result);
}

static void add_change_of_qso(void *context, const struct change *change)
{
    struct page *page = context;
    struct exchange *exchange = page->exchange;
    struct act act;
    bool known = store_find_act_of_edit(exchange->store, exchange->arena, exchange->member.id,
                                        change->edit, &act) == STORE_DONE;
    json_begin_item(page->body);
    history_write_change(change, page->body);
    history_write_writer(known ? &act : NULL, page->body);
    json_write_text(page->body, "work", text_of(known ? history_work_name(act.work) : NULL));
    json_write_number_or_null(page->body, "act", known ? act.number : 0);
    buffer_append(page->body, "}", 1);
}

static const struct error *answer_qso(struct exchange *exchange)
{
    struct page page = {.exchange = exchange, .body = &exchange->response->body};
    buffer_append_string(page.body, "{\"items\":[");
    enum store_result result =
        store_list_changes_of_qso(exchange->store, exchange->member.id, exchange->number,
                                  QSO_CHANGES_MAX, add_change_of_qso, &page);
    buffer_append_string(page.body, "]}");
    return profile_store_error(result);
}

/* -- What was deleted -------------------------------------------------------------------------- */

static void add_removed(void *context, const struct change *change)
{
    struct page *page = context;
    struct exchange *exchange = page->exchange;
    struct act act;
    bool known = store_find_act_of_edit(exchange->store, exchange->arena, exchange->member.id,
                                        change->edit, &act) == STORE_DONE;
    page->count++;
    json_begin_item(page->body);
    json_write_number_or_null(page->body, "act", known ? act.number : 0);
    json_write_time(page->body, "deletedAt", change->at_ms);
    history_write_writer(known ? &act : NULL, page->body);
    json_write_name(page->body, "qso");
    render_qso(change->before, page->body);
    buffer_append(page->body, "}", 1);
}

static const struct error *answer_deleted(struct exchange *exchange)
{
    struct page page;
    struct change_position position = {INT64_MAX, INT64_MAX};
    const struct error *error = begin_page(exchange, &page, &position.edit, &position.qso_id);
    if (error)
        return error;
    buffer_append_string(page.body, "{\"items\":[");
    enum store_result result = store_list_removed(exchange->store, exchange->member.id, page.limit,
                                                  &position, add_removed, &page);
    end_page(&page, page.count == page.limit, position.edit, position.qso_id);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_history, METHOD_GET, "history", USES_SNAPSHOT, 200, answer_acts);
PROFILE_ROUTE_OF_LOG(profile_act, METHOD_GET, "history/{number}", USES_SNAPSHOT, 200, answer_act);
PROFILE_ROUTE_OF_LOG(profile_qso_history, METHOD_GET, "qsos/{number}/history", USES_SNAPSHOT, 200,
                     answer_qso);
PROFILE_ROUTE_OF_LOG(profile_deleted, METHOD_GET, "deleted", USES_SNAPSHOT, 200, answer_deleted);
