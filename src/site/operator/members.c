/* GET /operator/data/members: the list of members, page by page, in the order of their callsigns or
 * of their last use. QSOs are counted and never shown, because a log is private to its member. */
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/routes.h"
#include "store/people/members.h"

static const struct error *read_group(struct exchange *exchange, enum member_group *group)
{
    struct text value;
    const struct error *error = input_read_parameter(exchange, "group", &value);
    *group = MEMBERS_ALL;
    if (error || !value.bytes)
        return error;
    for (; *group < MEMBER_GROUPS; (*group)++)
        if (text_equals(value, text_of(store_member_group_name(*group))))
            return NULL;
    return input_refuse(exchange, "group", "must be all, unused, disabled or operators");
}

static const struct error *read_part(struct exchange *exchange, const char *name,
                                     struct text *value)
{
    TRY(input_read_parameter(exchange, name, value));
    return text_count_code_points(*value) <= MEMBER_CALLSIGN_MAX
               ? NULL
               : input_refuse(exchange, name, "must be at most 20 characters long");
}

#define ACTIVE_DAYS 30 /* days after the last use for which a member counts as active */

struct page {
    struct exchange *exchange;
    int64_t limit, count;
    bool more;
    bool has_weeks;
    enum store_result result;
};

/* Returns the numbers of QSOs in the last weeks as a text, or no text after a failure. */
static struct text weeks_of(struct page *page, int64_t member_id)
{
    int64_t weeks[MEMBER_WEEKS];
    const char *text = "";
    THEN(page->result, store_count_weeks(page->exchange->store, member_id,
                                         page->exchange->request->arrived_ms, weeks));
    if (page->result != STORE_DONE)
        return (struct text){0};
    for (int i = 0; i < MEMBER_WEEKS; i++)
        text =
            arena_print(page->exchange->arena, "%s%s%lld", text, i ? " " : "", (long long)weeks[i]);
    return text_of(text);
}

/* Adds a member. An additional member after the page's last row shows that another page follows. */
static void add_member(void *context, const struct member_row *row)
{
    struct page *page = context;
    struct buffer *body = &page->exchange->response->body;
    page->more = page->count++ >= page->limit;
    if (page->more)
        return;
    json_write_item(
        body, json_number("number", row->member.id), json_text("callsign", row->member.callsign),
        json_text("locator", row->member.locator), json_text("login", row->member.login),
        json_flag("active", row->member.active), json_flag("operator", row->member.is_operator),
        json_flag("station", row->member.is_station), json_integer("qsos", row->member.qso_count),
        json_integer("activeKeys", row->member.active_key_count),
        json_integer("browsers", row->member.session_count),
        json_time("createdAt", row->member.created_at_ms),
        json_day("lastUsedOn", row->member.last_used_day),
        json_flag("hasPassword", row->member.has_password),
        json_time("invitedUntil", row->invitation_until_ms),
        json_time("invitationExpiredAt", row->invitation_expired_ms),
        json_text("weeks", page->has_weeks ? weeks_of(page, row->member.id) : (struct text){0}));
}

/* Reads the order: by callsign, or by the last use. After the first page, the order by the last use
 * also needs afterDay, the last day of use of the previous page's last member: "2026-11-27", or
 * "never". */
static const struct error *read_order(struct exchange *exchange, struct member_search *search)
{
    struct text order, day;
    int64_t after_ms = 0;
    TRY(input_read_parameter(exchange, "order", &order));
    TRY(input_read_parameter(exchange, "afterDay", &day));
    search->is_by_use = text_equals(order, text_of("use"));
    if (order.bytes && !search->is_by_use && !text_equals(order, text_of("callsign")))
        return input_refuse(exchange, "order", "must be callsign or use");
    const bool is_never = text_equals(day, text_of("never"));
    if (day.bytes && !is_never && !datetime_parse_day(day, &after_ms))
        return input_refuse(exchange, "afterDay", "must be a day such as 2026-11-27, or never");
    search->after_day = !day.bytes ? INT32_MAX : is_never ? -1 : after_ms / DATETIME_DAY_MS;
    return NULL;
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct page page = {.exchange = exchange, .result = STORE_DONE};
    struct member_search search = {0};
    const int64_t now_ms = exchange->request->arrived_ms;
    int64_t members = 0, used = 0;
    TRY(read_group(exchange, &search.group));
    TRY(read_part(exchange, "search", &search.part));
    TRY(read_part(exchange, "after", &search.after));
    TRY(input_read_integer(exchange, "afterNumber", 0, INT64_MAX, &search.after_id));
    TRY(read_order(exchange, &search));
    TRY(profile_read_limit(exchange, &page.limit));
    page.has_weeks = search.is_by_use;
    json_begin_array(exchange->body, "items");
    enum store_result result =
        store_search_members(exchange->store, &search, page.limit + 1, now_ms, add_member, &page);
    THEN(result, page.result);
    if (search.is_by_use)
        THEN(result, store_count_members_by_use(
                         exchange->store, now_ms / DATETIME_DAY_MS - ACTIVE_DAYS, &members, &used));
    buffer_append(exchange->body, "]", 1);
    json_write_flag(exchange->body, "more", page.more);
    if (search.is_by_use)
        json_write_fields(exchange->body, json_integer("members", members),
                          json_integer("active", used));
    return profile_store_error(result);
}

OPERATOR_ROUTE(operator_members, METHOD_GET, "members", 200, answer_list);
