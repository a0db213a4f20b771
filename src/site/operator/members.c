/* GET /operator/data/members: the list of members, page by page. QSOs are counted and never shown,
 * because a log is private to its member. */
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

struct page {
    struct exchange *exchange;
    int64_t limit, count;
    bool more;
};

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
        json_time("invitedUntil", row->invitation_until_ms));
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct page page = {.exchange = exchange};
    struct member_search search = {0};
    TRY(read_group(exchange, &search.group));
    TRY(read_part(exchange, "search", &search.part));
    TRY(read_part(exchange, "after", &search.after));
    TRY(input_read_integer(exchange, "afterNumber", 0, INT64_MAX, &search.after_id));
    TRY(profile_read_limit(exchange, &page.limit));
    json_begin_array(exchange->body, "items");
    const struct error *error =
        profile_store_error(store_search_members(exchange->store, &search, page.limit + 1,
                                                 exchange->request->arrived_ms, add_member, &page));
    buffer_append(exchange->body, "]", 1);
    json_write_flag(exchange->body, "more", page.more);
    return error;
}

OPERATOR_ROUTE(operator_members, METHOD_GET, "members", 200, answer_list);
