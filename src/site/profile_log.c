/* The member's log to look at: the newest QSOs, by callsign and day; QSOs that were nearly
 * confirmed; numbers and months. The store searches and counts; here its rows become JSON. The page
 * draws them (src/pages/log.js). */
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "qso/cursor.h"
#include "qso/render.h"
#include "site/distinct.h"
#include "json/write.h"
#include "site/profile.h"
#include "store/keys.h"
#include "store/log.h"

#define NEAR_MATCHES_MAX 100

/* -- QSOs -------------------------------------------------------------------------------------- */

struct page {
    struct buffer *body;
    int64_t limit;
    int64_t count;
    int64_t last_ms, last_id;
};

/* YYYY-MM-DD: the first millisecond of that day. */
static const struct error *read_day(struct exchange *exchange, const char *name, int64_t *ms)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, name, &value);
    if (error || !value.bytes)
        return error;
    const char *midnight =
        arena_print(exchange->arena, "%.*sT00:00Z", (int)value.length, value.bytes);
    return datetime_parse(text_of(midnight), ms)
               ? NULL
               : profile_refuse(exchange, name, "must be a day as 2026-05-17");
}

static const struct error *read_after(struct exchange *exchange, struct log_search *search)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, "after", &value);
    if (error || !value.bytes)
        return error;
    return cursor_parse(value, &search->before_ms, &search->before_id)
               ? NULL
               : profile_refuse(exchange, "after", "must be the nextCursor of the previous page");
}

static const struct error *read_search(struct exchange *exchange, struct log_search *search,
                                       int64_t *limit)
{
    *search = (struct log_search){.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS - DATETIME_DAY_MS + 1,
                                  .before_ms = INT64_MAX,
                                  .before_id = INT64_MAX};
    const struct error *error = read_day(exchange, "from", &search->from_ms);
    if (!error)
        error = read_day(exchange, "to", &search->to_ms);
    if (!error)
        error = profile_read_limit(exchange, limit);
    if (!error)
        error = read_after(exchange, search);
    if (!error)
        error = profile_read_parameter(exchange, "callsign", &search->callsign);
    search->to_ms += DATETIME_DAY_MS - 1;
    if (search->callsign.length > MEMBER_CALLSIGN_MAX * 4)
        error = profile_refuse(exchange, "callsign", "must have at most 20 characters");
    return error;
}

/* One more than the page holds tells whether another page follows. */
static void add_qso(void *context, const struct qso *qso)
{
    struct page *page = context;
    if (page->count++ >= page->limit)
        return;
    json_write_element(page->body);
    render_qso(qso, page->body);
    page->last_ms = qso->values[FIELD_QSO_AT].integer;
    page->last_id = qso->values[FIELD_ID].integer;
}

static const struct error *answer_qsos(struct exchange *exchange)
{
    struct page page = {.body = &exchange->response->body};
    struct log_search search;
    char cursor[CURSOR_LENGTH];
    const struct error *error = read_search(exchange, &search, &page.limit);
    if (error)
        return error;
    buffer_append_string(page.body, "{\"items\":[");
    error = profile_store_error(store_search_log(exchange->store, exchange->member.id, &search,
                                                 page.limit + 1, add_qso, &page));
    buffer_append(page.body, "]", 1);
    bool more = page.count > page.limit;
    if (more)
        cursor_format(page.last_ms, page.last_id, cursor);
    json_write_text(page.body, "nextCursor",
                    more ? (struct text){cursor, sizeof cursor} : (struct text){0});
    buffer_append(page.body, "}", 1);
    return error;
}

static void add_near_match(void *context, const struct qso *qso, const char *rule)
{
    struct buffer *body = context;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_text(body, "reason", text_of(rule));
    json_write_name(body, "qso");
    render_qso(qso, body);
    buffer_append(body, "}", 1);
}

static const struct error *answer_near_matches(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    buffer_append_string(body, "{\"items\":[");
    enum store_result result = store_list_near_matches(exchange->store, &exchange->member,
                                                       NEAR_MATCHES_MAX, add_near_match, body);
    buffer_append_string(body, "]}");
    return profile_store_error(result);
}

/* -- Numbers ----------------------------------------------------------------------------------- */

struct months {
    struct buffer *body;
    struct distinct stations;
    int64_t qsos, confirmed;
    int64_t month_ends_ms; /* of the month that is being counted; it has month_qsos */
    int64_t month_qsos, month_confirmed;
    char month[sizeof "YYYY-MM"];
};

static void write_month(struct months *months)
{
    if (months->month_qsos == 0)
        return;
    json_write_element(months->body);
    buffer_append(months->body, "{", 1);
    json_write_text(months->body, "month", text_of(months->month));
    json_write_integer(months->body, "qsos", months->month_qsos);
    json_write_integer(months->body, "confirmed", months->month_confirmed);
    buffer_append(months->body, "}", 1);
    months->month_qsos = months->month_confirmed = 0;
}

static void begin_month(struct months *months, int64_t ms)
{
    char text[DATETIME_TEXT_LENGTH];
    time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm date;
    gmtime_r(&seconds, &date);
    date = (struct tm){.tm_year = date.tm_year, .tm_mon = date.tm_mon + 1, .tm_mday = 1};
    months->month_ends_ms = (int64_t)timegm(&date) * 1000;
    datetime_format(ms, text);
    memcpy(months->month, text, sizeof months->month - 1);
}

static void count_time(void *context, const struct qso_time *time)
{
    struct months *months = context;
    if (months->qsos == 0 || time->slot_ms >= months->month_ends_ms) {
        write_month(months);
        begin_month(months, time->slot_ms);
    }
    months->qsos++;
    months->month_qsos++;
    months->confirmed += time->confirmed;
    months->month_confirmed += time->confirmed;
    if (time->worked.length > 0)
        distinct_add(&months->stations, time->worked);
}

static void find_last_use(void *context, const struct key *key)
{
    int64_t *day = context;
    if (key->last_used_day > *day)
        *day = key->last_used_day;
}

static const struct error *answer_statistics(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct months months = {.body = body};
    int64_t last_day = -1;
    distinct_begin(&months.stations, exchange->arena);
    buffer_append_string(body, "{\"months\":[");
    enum store_result result =
        store_list_times(exchange->store, exchange->member.id, count_time, &months);
    write_month(&months);
    buffer_append(body, "]", 1);
    if (result == STORE_DONE)
        result = store_list_keys(exchange->store, exchange->member.id, find_last_use, &last_day);
    json_write_integer(body, "qsos", months.qsos);
    json_write_integer(body, "confirmed", months.confirmed);
    json_write_integer(body, "stations", (int64_t)months.stations.count);
    json_write_day(body, "lastSyncOn", last_day);
    buffer_append(body, "}", 1);
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_qsos, METHOD_GET, "qsos", USES_SNAPSHOT, 200, answer_qsos);
PROFILE_ROUTE(profile_near_matches, METHOD_GET, "near-matches", USES_SNAPSHOT, 200,
              answer_near_matches);
PROFILE_ROUTE(profile_statistics, METHOD_GET, "statistics", USES_SNAPSHOT, 200, answer_statistics);
