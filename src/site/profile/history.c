/* The history of the member's log: writers' acts with their changes, the changes of one QSO, and
 * deleted QSOs. undo.c undoes changes. The operator's command writes acts and changes as the same
 * JSON (src/transfer/history.c). */
#include "site/profile/history.h"

#include "json/write.h"
#include "json/write_object.h"
#include "qso/render.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/history/acts.h"
#include "store/history/changes.h"
#include "transfer/history.h"
#include "transfer/member_export.h"
#include "worker/input.h"
#include "worker/worker.h"

#define QSO_CHANGES_MAX 200
#define EXAMPLES_MAX 10

struct page {
    struct exchange *exchange;
    struct buffer *body;
    int64_t limit, count;
    int64_t last;     /* number of the last act, in a list of acts */
    int64_t examples; /* maximum number of changes that are added to each act */
    enum store_result result;
};

static const struct error *begin_page(struct exchange *exchange, struct page *page, int64_t *first,
                                      int64_t *second)
{
    *page = (struct page){.exchange = exchange, .body = exchange->body};
    TRY(profile_read_limit(exchange, &page->limit));
    return profile_read_cursor(exchange, first, second);
}

static void end_page(struct page *page, bool more, int64_t first, int64_t second)
{
    buffer_append(page->body, "]", 1);
    profile_write_cursor(page->exchange, more, first, second);
}

static void add_change(void *context, const struct change *change)
{
    struct page *page = context;
    json_begin_item(page->body);
    history_write_change(change, page->body);
    buffer_append(page->body, "}", 1);
}

/* Adds the first changes of the act, so that a list can name some of the act's QSOs. */
static enum store_result add_examples(struct page *page, const struct act *act)
{
    const struct exchange *exchange = page->exchange;
    struct changes_page changes = {
        .member_id = exchange->member.id, .act = act, .limit = page->examples};
    json_begin_array(page->body, "examples");
    enum store_result result = store_list_changes(exchange->store, &changes, add_change, page);
    buffer_append(page->body, "]", 1);
    return result;
}

/* Adds an act. An additional row after the page's last row shows that another page follows. */
static void add_act(void *context, const struct act *act)
{
    struct page *page = context;
    if (page->count++ >= page->limit)
        return;
    struct act shown = *act;
    if (history_is_of_operator(page->exchange) && act->work == WORK_MERGE)
        shown.subject = (struct text){0}; /* hides a callsign with which the member had a QSO */
    json_begin_item(page->body);
    history_write_act(&shown, true, page->body);
    if (page->examples > 0)
        THEN(page->result, add_examples(page, act));
    buffer_append(page->body, "}", 1);
    page->last = act->number;
}

/* Reads the filter: the parameter "kind", and the writer of the acts as "writer" and "number". */
static const struct error *read_filter(struct exchange *exchange, struct acts_query *query,
                                       struct writer *writer)
{
    static const char *const kinds[ACTS_KINDS] = {"all", "created", "changed", "deleted",
                                                  "imports"};
    struct text kind, name;
    TRY(input_read_parameter(exchange, "kind", &kind));
    while (kind.bytes && query->kind < ACTS_KINDS &&
           !text_equals(kind, text_of(kinds[query->kind])))
        query->kind++;
    if (query->kind == ACTS_KINDS)
        return input_refuse(exchange, "kind", "must be all, created, changed, deleted or imports");
    TRY(input_read_parameter(exchange, "writer", &name));
    TRY(input_read_integer(exchange, "number", 0, INT64_MAX, &writer->number));
    if (!name.bytes)
        return NULL;
    writer->kind = history_read_writer(name);
    query->writer = writer;
    return writer->kind == WRITER_KINDS
               ? input_refuse(exchange, "writer", "must be KEY, TOKEN, SESSION or OPERATOR")
               : NULL;
}

const struct error *history_answer_acts(struct exchange *exchange)
{
    struct page page;
    struct writer writer = {0};
    int64_t from = INT64_MAX, unused;
    TRY(begin_page(exchange, &page, &from, &unused));
    if (!history_is_of_operator(exchange))
        TRY(input_read_integer(exchange, "examples", 0, EXAMPLES_MAX, &page.examples));
    struct acts_query query = {.member_id = history_owner(exchange)->id,
                               .from = from,
                               .since_ms = INT64_MIN,
                               .limit = page.limit + 1};
    TRY(read_filter(exchange, &query, &writer));
    json_write_integer(page.body, "days",
                       worker_setting_number(exchange->request, SETTING_HISTORY_DAYS));
    json_begin_array(page.body, "items");
    enum store_result result = store_list_acts(exchange->store, &query, add_act, &page);
    end_page(&page, page.count > page.limit, page.last - 1, 0);
    return profile_store_error(THEN(result, page.result));
}

static const struct error *answer_act(struct exchange *exchange)
{
    struct page page;
    struct act act;
    struct changes_page changes = {.member_id = exchange->member.id, .act = &act};
    TRY(begin_page(exchange, &page, &changes.position.edit, &changes.position.qso_id));
    TRY(profile_store_error(store_find_act(exchange->store, exchange->arena, exchange->member.id,
                                           exchange->number, &act)));
    json_write_name(page.body, "act");
    history_append_act(&act, page.body);
    json_begin_array(page.body, "items");
    changes.limit = page.limit;
    enum store_result result = store_list_changes(exchange->store, &changes, add_change, &page);
    end_page(&page, !changes.is_last, changes.position.edit, changes.position.qso_id);
    return profile_store_error(result);
}

/* Finds the act that made the change, and fills *act. Returns NULL if the act is unknown. */
static const struct act *find_act(const struct page *page, const struct change *change,
                                  struct act *act)
{
    const struct exchange *exchange = page->exchange;
    return store_find_act_of_edit(exchange->store, exchange->arena, exchange->member.id,
                                  change->edit, act) == STORE_DONE
               ? act
               : NULL;
}

static void add_change_of_qso(void *context, const struct change *change)
{
    struct page *page = context;
    struct act found;
    const struct act *act = find_act(page, change, &found);
    json_begin_item(page->body);
    history_write_change(change, page->body);
    history_write_writer(act, page->body);
    json_write_fields(page->body,
                      json_text("work", text_of(act ? history_work_name(act->work) : NULL)),
                      json_number_or_null("act", act ? act->number : 0));
    buffer_append(page->body, "}", 1);
}

static const struct error *answer_qso(struct exchange *exchange)
{
    struct page page = {.exchange = exchange, .body = exchange->body};
    json_begin_array(page.body, "items");
    enum store_result result =
        store_list_changes_of_qso(exchange->store, exchange->member.id, exchange->number,
                                  QSO_CHANGES_MAX, add_change_of_qso, &page);
    buffer_append(page.body, "]", 1);
    return profile_store_error(result);
}

static void add_removed(void *context, const struct change *change)
{
    struct page *page = context;
    struct act found;
    const struct act *act = find_act(page, change, &found);
    page->count++;
    json_begin_item(page->body);
    json_write_fields(page->body, json_number_or_null("act", act ? act->number : 0),
                      json_time("deletedAt", change->at_ms), json_flag("undone", change->undone));
    history_write_writer(act, page->body);
    json_write_name(page->body, "qso");
    render_qso(change->before, page->body);
    buffer_append(page->body, "}", 1);
}

static const struct error *answer_deleted(struct exchange *exchange)
{
    struct page page;
    struct change_position position = {INT64_MAX, INT64_MAX};
    int64_t deleted;
    TRY(begin_page(exchange, &page, &position.edit, &position.qso_id));
    TRY(profile_store_error(store_count_deleted(exchange->store, exchange->member.id, &deleted)));
    json_write_integer(page.body, "deleted", deleted);
    json_begin_array(page.body, "items");
    enum store_result result = store_list_removed(exchange->store, exchange->member.id, page.limit,
                                                  &position, add_removed, &page);
    end_page(&page, page.count == page.limit, position.edit, position.qso_id);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_history, METHOD_GET, "history", 200, history_answer_acts);
PROFILE_ROUTE_OF_LOG(profile_act, METHOD_GET, "history/{number}", 200, answer_act);
PROFILE_ROUTE_OF_LOG(profile_qso_history, METHOD_GET, "qsos/{number}/history", 200, answer_qso);
PROFILE_ROUTE_OF_LOG(profile_deleted, METHOD_GET, "deleted", 200, answer_deleted);
