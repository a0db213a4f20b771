/* GET /profile/data/qsos: the QSOs in the member's log, filtered and in any order, page by page.
 * The store reads the rows, which become JSON here; src/web/shared/logbook draws them. */
#include <math.h>
#include <string.h>

#include "json/write.h"
#include "json/write_object.h"
#include "qso/cursor.h"
#include "qso/divisions.h"
#include "qso/log_filter.h"
#include "qso/log_order.h"
#include "qso/match.h"
#include "qso/place.h"
#include "qso/render.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/club/claiming.h"
#include "store/log/log.h"

struct page {
    struct exchange *exchange;
    struct log_filter filter;
    struct log_order order;
    struct log_rank after; /* position after which the page begins */
    bool has_after;
    int64_t limit;
    struct log_first first; /* the page's rows; an additional row shows that another page follows */
};

/* Returns the cursor for a position: the QSO's time and id, followed by the value by which the list
 * is sorted. The value is a number, a text, or nothing. */
static struct text format_after(struct page *page, const struct log_rank *rank)
{
    char cursor[CURSOR_LENGTH];
    cursor_format(rank->qso_at_ms, rank->id, cursor);
    const char *value = "";
    if (rank->text.length > 0)
        value = arena_copy(page->exchange->arena, rank->text.bytes, rank->text.length);
    else if (rank->has_value && page->order.key != LOG_BY_TIME)
        value = arena_print(page->exchange->arena, "%lld", (long long)rank->number);
    return text_of(arena_print(page->exchange->arena, "%.*s%s", CURSOR_LENGTH, cursor, value));
}

static bool parse_after(struct text text, const struct log_order *order, struct log_rank *rank)
{
    if (text.length < CURSOR_LENGTH ||
        !cursor_parse((struct text){text.bytes, CURSOR_LENGTH}, &rank->qso_at_ms, &rank->id))
        return false;
    const struct text value = text_skip(text, CURSOR_LENGTH);
    const bool is_text = order->key == LOG_BY_CALLSIGN || order->key == LOG_BY_SQUARE;
    rank->has_value = value.length > 0 || order->key == LOG_BY_TIME;
    if (order->key == LOG_BY_TIME)
        rank->number = rank->qso_at_ms;
    else if (value.length > 0 && !is_text)
        return text_parse_integer(value, 0, INT64_MAX, &rank->number);
    else if (value.length <= MATCH_CALLSIGN_BYTES)
        memcpy(rank->text.bytes, value.bytes, rank->text.length = value.length);
    return value.length <= MATCH_CALLSIGN_BYTES;
}

static const struct error *read_after(struct page *page)
{
    struct text value;
    const struct error *error = input_read_parameter(page->exchange, "after", &value);
    page->has_after = value.bytes != NULL;
    if (error || !value.bytes || parse_after(value, &page->order, &page->after))
        return error;
    return input_refuse(page->exchange, "after",
                        "must be the nextCursor of the previous page in the same order");
}

/* Returns whether older QSOs can no longer change the page. In descending order of time, this is
 * the case if QSOs in newer slots have filled the page. The store visits the slots from the newest
 * to the oldest. */
static bool is_complete(const struct page *page, int64_t qso_at_ms)
{
    return page->order.key == LOG_BY_TIME && page->order.descending &&
           page->first.count == page->first.most &&
           match_slot(qso_at_ms) < match_slot(page->first.ranks[page->first.most - 1].qso_at_ms);
}

static bool take_qso(void *context, const struct qso *qso)
{
    struct page *page = context;
    struct log_rank rank;
    if (is_complete(page, qso->values[FIELD_QSO_AT].integer))
        return false;
    if (!log_filter_fits(&page->filter, qso))
        return true;
    log_rank_of(qso, &page->order, &rank);
    if (!page->has_after || log_rank_compare(&rank, &page->after, &page->order) > 0)
        log_first_add(&page->first, &rank);
    return true;
}

/* Returns the walk that finds the page. If the order is by time, the walk begins where the previous
 * page ended. */
static struct log_walk walk_of(const struct page *page)
{
    struct log_walk walk = log_query_walk(&page->filter);
    if (page->has_after && page->order.key == LOG_BY_TIME) {
        if (page->order.descending && page->after.qso_at_ms < walk.to_ms)
            walk.to_ms = page->after.qso_at_ms;
        if (!page->order.descending && page->after.qso_at_ms > walk.from_ms)
            walk.from_ms = page->after.qso_at_ms;
    }
    return walk;
}

/* Appends the data that the page shows in addition to a QSO's fields: the division's number and the
 * distance in km, null if unknown. If a member of another club confirms the QSO, that member's
 * callsign and club follow. */
static void append_measures(struct buffer *out, const struct qso *qso, struct text member_locator,
                            const struct peer_confirmation *confirmation)
{
    struct place from, to;
    bool exact;
    int division = divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED));
    json_write_element(out);
    if (division == DIVISIONS_NONE)
        buffer_append_string(out, "[null,");
    else
        buffer_print(out, "[%d,", division);
    if (place_of_dx(qso, &to, &exact) && place_of_member(qso, member_locator, &from))
        buffer_append_integer(out, llround(place_distance_km(&from, &to)));
    else
        buffer_append_string(out, "null");
    if (confirmation->station.bytes)
        json_write_item(out, json_text("station", confirmation->station),
                        json_text("club", confirmation->club));
    buffer_append(out, "]", 1);
}

static enum store_result write_qsos(struct page *page, struct buffer *measures)
{
    struct exchange *exchange = page->exchange;
    enum store_result result;
    for (size_t i = 0; i < page->first.count && i < (size_t)page->limit; i++) {
        const int64_t id = page->first.ranks[i].id;
        struct peer_confirmation confirmation = {0};
        struct qso qso;
        result =
            store_find_own_qso(exchange->store, exchange->member.id, id, exchange->arena, &qso);
        if (result != STORE_DONE)
            return result;
        if (qso.values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT)
            result = store_find_peer_of_qso(exchange->store, exchange->arena, id, &confirmation);
        if (result != STORE_DONE && result != STORE_NONE)
            return result;
        json_write_element(exchange->body);
        render_qso(&qso, exchange->body);
        append_measures(measures, &qso, exchange->member.locator, &confirmation);
    }
    return STORE_DONE;
}

static const struct error *answer_qsos(struct exchange *exchange)
{
    struct page page = {.exchange = exchange};
    struct buffer *body = exchange->body, measures = {0};
    TRY(profile_read_limit(exchange, &page.limit));
    TRY(log_query_read_order(exchange, &page.order));
    TRY(read_after(&page));
    TRY(log_query_read_filter(exchange, &page.filter));
    const struct log_walk walk = walk_of(&page);
    log_first_begin(&page.first, &page.order, (size_t)page.limit + 1, exchange->arena);
    enum store_result result =
        store_walk_log(exchange->store, exchange->member.id, &walk, take_qso, &page);
    json_begin_array(body, "items");
    buffer_append(&measures, "[", 1);
    THEN(result, write_qsos(&page, &measures));
    buffer_append_string(body, "],\"measures\":");
    buffer_append(body, measures.bytes, measures.length);
    buffer_append(body, "]", 1);
    buffer_free(&measures);
    bool more = page.first.count > (size_t)page.limit;
    json_write_text(body, "nextCursor",
                    more ? format_after(&page, &page.first.ranks[page.limit - 1])
                         : (struct text){0});
    return profile_store_error(result);
}

/* Answers with a value that changes with every write to the log. An open page compares the value to
 * find out whether to reload. */
static const struct error *answer_revision(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    buffer_print(exchange->body, "\"revision\":\"%lld-%lld\"", (long long)identity->log_epoch,
                 (long long)identity->log_revision);
    return NULL;
}

PROFILE_ROUTE_OF_LOG(profile_qsos, METHOD_GET, "qsos", 200, answer_qsos);
PROFILE_ROUTE_OF_LOG(profile_revision, METHOD_GET, "revision", 200, answer_revision);
