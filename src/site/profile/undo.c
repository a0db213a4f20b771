/* Undoes an act in a log, everything that one writer wrote since a time, or deletions. The routes
 * undo and undo/preview are below /profile/data/ for the member, and below
 * /operator/data/members/{number}/ for operators. Each request undoes a part. The page keeps the
 * state between requests and sends it with the next request, so any worker can serve that request.
 * The store decides about each QSO. */
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/history.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "store/history/acts.h"
#include "store/history/undo.h"
#include "store/log/edits.h"
#include "transfer/history.h"
#include "transfer/member_export.h"

#define SLICES_MAX 10      /* maximum number of slices per request */
#define PREVIEW_QSOS 5000  /* maximum number of QSOs per preview request */
#define LEFT_ITEMS_MAX 200 /* maximum number of skipped QSOs in all answers together */
#define IDS_MAX 65536

#define NUMBERS (int)(sizeof(struct undo_state) / sizeof(int64_t))
/* The maximum of each number: twice the number plus one must not overflow. */
#define STATE_MAX (INT64_MAX / 4)

struct undo {
    struct exchange *exchange;
    /* identity of the log's owner; without a session for an operator's undo */
    struct identity *identity;
    struct undo_request request;
    struct writer writer;
    struct undo_state state;
    int64_t left_before;
};

/* Reads numbers separated by spaces. The array contains each number once, in ascending order. */
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
        return input_refuse(exchange, "include", "must be all, or ids separated by spaces");
    if (!read_ids(only, exchange->arena, &undo->request.only, &undo->request.only_count))
        return input_refuse(exchange, "ids", "must be ids separated by spaces");
    return NULL;
}

/* Reads the selection: an act, a writer with a time, or deletions. */
static const struct error *read_request(struct undo *undo)
{
    struct exchange *exchange = undo->exchange;
    const struct json_fields *body = exchange->sent;
    struct undo_request *request = &undo->request;
    struct text act = json_read_text(body, "act"), writer = json_read_text(body, "writer"),
                number = json_read_text(body, "number"), since = json_read_text(body, "since");
    request->removed = json_read_flag(body, "deleted");
    if (!!act.bytes + !!writer.bytes + request->removed != 1)
        return input_refuse(exchange, "act", "is required, unless writer or deleted is present");
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

/* Reads the state, a list of numbers in a fixed order. */
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

static void add_left(void *context, const struct undo_left *left)
{
    struct undo *undo = context;
    if (undo->left_before++ >= LEFT_ITEMS_MAX)
        return;
    json_write_element(undo->exchange->body);
    if (history_is_of_operator(undo->exchange))
        history_append_cause(left, undo->exchange->body);
    else
        history_append_left(left, undo->exchange->body);
}

/* Undoes a part, or previews a part. If a later part of an undo fails, this part remains undone;
 * the page finds the undo in the history. */
static enum store_result run(struct undo *undo, bool preview)
{
    const struct undo_report report = {.visit = add_left, .context = undo};
    struct exchange *exchange = undo->exchange;
    enum store_result result = STORE_DONE;
    if (preview)
        return store_undo_preview(exchange->store, undo->identity, &undo->request, PREVIEW_QSOS,
                                  &undo->state, &report);
    for (int i = 0; i < SLICES_MAX && result == STORE_DONE && !undo_is_done(&undo->state); i++)
        result = store_undo_slice(exchange->store, undo->identity, &undo->request, &undo->state,
                                  &report);
    return result;
}

/* Begins or continues an undo. A request without the state of a previous answer begins an undo. */
static enum store_result begin(struct undo *undo, struct text state)
{
    struct exchange *exchange = undo->exchange;
    int64_t through = 0;
    if (state.bytes)
        return read_state(state, &undo->state) ? STORE_DONE : STORE_REFUSED;
    text_parse_integer(json_read_text(exchange->sent, "through"), 1, INT64_MAX, &through);
    return store_undo_begin(exchange->store, undo->identity->member_id, &undo->request, through,
                            &undo->state);
}

/* Describes the selection for the log of operators' acts. */
static void describe(struct undo *undo)
{
    const struct undo_request *request = &undo->request;
    struct arena *arena = undo->exchange->arena;
    undo->request.note =
        text_of(request->act ? arena_print(arena, "act %lld", (long long)request->act)
                : request->removed
                    ? "deleted QSOs"
                    : arena_print(arena, "by %s %lld", history_writer_name(undo->writer.kind),
                                  (long long)undo->writer.number));
}

static const struct error *find_error(struct exchange *exchange, enum store_result result)
{
    const struct error *ended = result == STORE_DENIED ? access_check_again(exchange) : NULL;
    return ended ? ended : result == STORE_REFUSED ? &error_internal : profile_store_error(result);
}

static const struct error *answer(struct undo *undo, bool is_preview)
{
    struct exchange *exchange = undo->exchange;
    const struct undo_state *state = &undo->state;
    TRY(read_request(undo));
    describe(undo);
    enum store_result result = begin(undo, json_read_text(exchange->sent, "state"));
    if (result == STORE_REFUSED)
        return input_refuse(exchange, "state", "must be the state of the previous answer");
    if (result == STORE_NONE)
        return input_refuse(exchange, "act", "does not exist, or is too old to be undone");
    undo->left_before = state->left;
    json_begin_array(exchange->body, history_is_of_operator(exchange) ? "leftCauses" : "leftItems");
    THEN(result, run(undo, is_preview));
    buffer_append(exchange->body, "]", 1);
    if (result == STORE_CONFLICT)
        return input_refuse(exchange, "state", "is from a logbook that a restore has replaced");
    json_write_fields(exchange->body, json_integer("restored", state->restored),
                      json_integer("deleted", state->deleted), json_integer("left", state->left),
                      json_integer("done", undo_is_done(state) ? state->total : state->done),
                      json_integer("total", state->total), json_number("through", state->through),
                      json_number_or_null("number", state->number));
    write_state(exchange->body, state);
    return find_error(exchange, result);
}

static const struct error *answer_for(struct exchange *exchange, bool is_preview)
{
    const struct member *owner = history_owner(exchange);
    struct identity as_owner = {
        .member_id = owner->id, .callsign = owner->callsign, .is_disabled = !owner->active};
    struct undo undo = {.exchange = exchange,
                        .identity =
                            history_is_of_operator(exchange) ? &as_owner : &exchange->identity};
    return answer(&undo, is_preview);
}

const struct error *history_answer_undo(struct exchange *exchange)
{
    return answer_for(exchange, false);
}

const struct error *history_answer_preview(struct exchange *exchange)
{
    return answer_for(exchange, true);
}

/* The body can contain two long lists of ids. */
const struct route_body history_undo_body = {.bytes_max = REQUEST_BODY_MAX_BYTES,
                                             .json = {.items_max = 32}};

PROFILE_ROUTE_OF_LOG(profile_undo_preview, METHOD_POST, "undo/preview", 200, history_answer_preview,
                     .body = &history_undo_body);
PROFILE_ROUTE_OF_LOG(profile_undo, METHOD_POST, "undo", 200, history_answer_undo,
                     .body = &history_undo_body);
