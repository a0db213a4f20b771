/* The history of the member's log: who wrote into it, what each changed, what became of one QSO,
 * and what was deleted; and taking back. How acts and changes look in JSON is shared with the
 * operator's command (src/transfer/member_export.c). */
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "json/write.h"
#include "qso/values.h"
#include "site/profile.h"
#include "store/history.h"
#include "transfer/member_export.h"
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
    *page = (struct page){.exchange = exchange, .body = exchange->body};
    TRY(profile_read_limit(exchange, &page->limit));
    return profile_read_cursor(exchange, first, second);
}

static void end_page(struct page *page, bool more, int64_t first, int64_t second)
{
    buffer_append(page->body, "]", 1);
    profile_write_cursor(page->exchange, more, first, second);
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
    TRY(begin_page(exchange, &page, &from, &unused));
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
    TRY(begin_page(exchange, &page, &position.edit, &position.qso_id));
    TRY(profile_store_error(store_find_act(exchange->store, exchange->arena, exchange->member.id,
                                           exchange->number, &act)));
    json_write_name(page.body, "act");
    history_append_act(&act, page.body);
    json_begin_array(page.body, "items");
    enum store_result result = store_list_changes(exchange->store, exchange->member.id, &act,
                                                  page.limit, &position, add_change, &page, &last);
    end_page(&page, !last, position.edit, position.qso_id);
    return profile_store_error(result);
}

/* The act that the change is of, filled into *act; NULL: it is not known. */
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

/* -- What was deleted -------------------------------------------------------------------------- */

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

PROFILE_ROUTE_OF_LOG(profile_history, METHOD_GET, "history", 200, answer_acts);
PROFILE_ROUTE_OF_LOG(profile_act, METHOD_GET, "history/{number}", 200, answer_act);
PROFILE_ROUTE_OF_LOG(profile_qso_history, METHOD_GET, "qsos/{number}/history", 200, answer_qso);
PROFILE_ROUTE_OF_LOG(profile_deleted, METHOD_GET, "deleted", 200, answer_deleted);

/* -- Taking back ------------------------------------------------------------------------------- */

/* POST /profile/data/undo and …/undo/preview: takes back an act of the member's log, all that one
 * writer wrote since a time, or deletions. A request does some of it; the state between requests
 * goes to the page and comes back with the next one, so that any worker can take it. What becomes
 * of each QSO is decided by the store. */

#define SLICES_MAX 10      /* of a request */
#define PREVIEW_QSOS 5000  /* of a request */
#define LEFT_ITEMS_MAX 200 /* in all answers */
#define IDS_MAX 65536

#define NUMBERS (int)(sizeof(struct undo_state) / sizeof(int64_t))
#define STATE_MAX (INT64_MAX / 4) /* of each: twice as much, and a next one, are numbers, too */

struct undo {
    struct exchange *exchange;
    struct undo_request request;
    struct writer writer;
    struct undo_state state;
    int64_t left_before;
};

/* -- What the page sends ----------------------------------------------------------------------- */

/* Numbers with a blank between; in the array they rise, each once. */
static bool read_ids(struct text text, struct arena *arena, const int64_t **ids, size_t *count)
{
    int64_t *list = NULL;
    size_t all = 0, capacity = 0;
    for (; text.length > 0; all++) {
        list = arena_grow(arena, list, all, &capacity, sizeof *list);
        if (all == IDS_MAX ||
            !text_parse_integer(text_split_next(&text, ' '), 1, INT64_MAX, &list[all]))
            return false;
    }
    if (all > 0)
        qsort(list, all, sizeof *list, undo_compare_ids);
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (i == 0 || list[i] != list[*count - 1])
            list[(*count)++] = list[i];
    *ids = list;
    return true;
}

static const struct error *read_lists(struct undo *undo)
{
    struct exchange *exchange = undo->exchange;
    const struct json_fields *body = exchange->sent;
    struct text taken = json_read_text(body, "include"), only = json_read_text(body, "ids");
    undo->request.takes_all = text_equals(taken, text_of("all"));
    if (!undo->request.takes_all &&
        !read_ids(taken, exchange->arena, &undo->request.taken, &undo->request.taken_count))
        return input_refuse(exchange, "include", "must be ids with a blank between, or all");
    if (!read_ids(only, exchange->arena, &undo->request.only, &undo->request.only_count))
        return input_refuse(exchange, "ids", "must be ids with a blank between");
    return NULL;
}

/* An act, a writer and a time, or what was deleted. */
static const struct error *read_request(struct undo *undo)
{
    struct exchange *exchange = undo->exchange;
    const struct json_fields *body = exchange->sent;
    struct undo_request *request = &undo->request;
    struct text act = json_read_text(body, "act"), writer = json_read_text(body, "writer"),
                number = json_read_text(body, "number"), since = json_read_text(body, "since");
    request->removed = json_read_flag(body, "deleted");
    if (!!act.bytes + !!writer.bytes + request->removed != 1)
        return input_refuse(exchange, "act", "must be there, or writer, or deleted");
    if (act.bytes && !text_parse_integer(act, 1, INT64_MAX, &request->act))
        return input_refuse(exchange, "act", "must be the number of an act");
    if (!writer.bytes)
        return read_lists(undo);
    undo->writer.kind = history_read_writer(writer);
    if (undo->writer.kind == WRITER_KINDS)
        return input_refuse(exchange, "writer", "must be KEY, TOKEN, SESSION or OPERATOR");
    if (number.bytes && !text_parse_integer(number, 0, INT64_MAX, &undo->writer.number))
        return input_refuse(exchange, "number", "must be the number of a writer");
    if (!since.bytes || !datetime_parse(since, &request->since_ms))
        return input_refuse(exchange, "since", "must be a date and time");
    request->writers = &undo->writer;
    request->writer_count = 1;
    return read_lists(undo);
}

/* The state is written as its numbers, in their order. */
static bool read_state(struct text text, struct undo_state *state)
{
    int64_t numbers[NUMBERS] = {0};
    for (int i = 0; i < NUMBERS; i++)
        if (!text_parse_integer(text_split_next(&text, ':'), 0, STATE_MAX, &numbers[i]))
            return false;
    memcpy(state, numbers, sizeof *state);
    return text.length == 0 && state->step >= 0 && state->step <= 1;
}

static void write_state(struct buffer *body, const struct undo_state *state)
{
    int64_t numbers[NUMBERS];
    memcpy(numbers, state, sizeof *state);
    json_write_name(body, "state");
    for (int i = 0; i < NUMBERS && !undo_is_done(state); i++)
        buffer_print(body, i == 0 ? "\"%lld" : ":%lld", (long long)numbers[i]);
    buffer_append_string(body, undo_is_done(state) ? "null" : "\"");
}

/* -- A request --------------------------------------------------------------------------------- */

static void add_left(void *context, const struct undo_left *left)
{
    struct undo *undo = context;
    if (undo->left_before++ >= LEFT_ITEMS_MAX)
        return;
    json_write_element(undo->exchange->body);
    history_append_left(left, undo->exchange->body);
}

/* What was done before a failure is done; the page is told of it by the history. */
static enum store_result run(struct undo *undo, bool preview)
{
    struct exchange *exchange = undo->exchange;
    enum store_result result = STORE_DONE;
    if (preview)
        return store_undo_preview(exchange->store, &exchange->identity, &undo->request,
                                  PREVIEW_QSOS, &undo->state, add_left, undo);
    for (int i = 0; i < SLICES_MAX && result == STORE_DONE && !undo_is_done(&undo->state); i++)
        result = store_undo_slice(exchange->store, &exchange->identity, &undo->request,
                                  &undo->state, add_left, undo);
    return result;
}

/* Without a state of an answer before the request is the first one. */
static enum store_result begin(struct undo *undo, struct text state)
{
    struct exchange *exchange = undo->exchange;
    int64_t through = 0;
    if (state.bytes)
        return read_state(state, &undo->state) ? STORE_DONE : STORE_REFUSED;
    text_parse_integer(json_read_text(exchange->sent, "through"), 1, INT64_MAX, &through);
    return store_undo_begin(exchange->store, exchange->member.id, &undo->request, through,
                            &undo->state);
}

static const struct error *answer_undo(struct exchange *exchange)
{
    struct undo undo = {.exchange = exchange};
    const struct undo_state *state = &undo.state;
    TRY(read_request(&undo));
    enum store_result result = begin(&undo, json_read_text(exchange->sent, "state"));
    if (result == STORE_REFUSED)
        return input_refuse(exchange, "state", "must be the state of the answer before");
    if (result == STORE_NONE)
        return input_refuse(exchange, "act", "is not there, or too old to be taken back");
    undo.left_before = state->left;
    json_begin_array(exchange->body, "leftItems");
    THEN(result, run(&undo, exchange->route == &route_profile_undo_preview));
    buffer_append(exchange->body, "]", 1);
    if (result == STORE_CONFLICT)
        return input_refuse(exchange, "state", "is of a logbook from before a restore");
    json_write_fields(exchange->body, json_integer("restored", state->restored),
                      json_integer("deleted", state->deleted), json_integer("left", state->left),
                      json_integer("done", undo_is_done(state) ? state->total : state->done),
                      json_integer("total", state->total), json_number("through", state->through),
                      json_number_or_null("number", state->number));
    write_state(exchange->body, state);
    return profile_store_error(result);
}

/* Two lists of ids. */
static const struct route_body undo_body = {.bytes_max = REQUEST_BODY_MAX_BYTES,
                                            .json = {.items_max = 32}};

PROFILE_ROUTE_OF_LOG(profile_undo_preview, METHOD_POST, "undo/preview", 200, answer_undo,
                     .body = &undo_body);
PROFILE_ROUTE_OF_LOG(profile_undo, METHOD_POST, "undo", 200, answer_undo, .body = &undo_body);
