/* Members on the operator's page: the list (page by page, or whole for a spreadsheet), new members,
 * and changes of one member. QSOs are counted and never shown, because a log is private to its
 * member. */
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/site_error.h"
#include "store/log/cards.h"
#include "store/people/members.h"
#include "store/transaction.h"
#include "transfer/export.h"
#include "transfer/member_export.h"
#include "transfer/member_list.h"

/* -- A page ------------------------------------------------------------------------------------ */

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

/* One more than a page holds shows whether another page follows. */
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

/* -- The whole list ---------------------------------------------------------------------------- */

static void add_day(struct buffer *out, bool is_known, int64_t day)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(day * DATETIME_DAY_MS, time);
    csv_append_cell(out, (struct text){time, is_known ? sizeof "YYYY-MM-DD" - 1 : 0});
}

static void add_line(void *context, const struct member_row *row)
{
    struct response *response = context;
    struct buffer *out = &response->body;
    const struct member *member = &row->member;
    csv_append_cell(out, member->callsign);
    csv_append_cell(out, member->locator);
    csv_append_cell(out, member->login);
    buffer_print(out, ",%s,%s,%lld,%lld", member->active ? "yes" : "no",
                 member->is_operator ? "yes" : "no", (long long)member->qso_count,
                 (long long)member->active_key_count);
    add_day(out, true, member->created_at_ms / DATETIME_DAY_MS);
    add_day(out, member->last_used_day >= 0, member->last_used_day);
    csv_append_cell(out, text_of(member->has_password ? "yes" : "no"));
    add_day(out, row->invitation_until_ms > 0, row->invitation_until_ms / DATETIME_DAY_MS);
    buffer_append_string(out, "\r\n");
    response_flush(response);
}

static const struct error *answer_table(struct exchange *exchange)
{
    const struct member_search all = {0};
    exchange->response->content_type = "text/csv; charset=utf-8";
    exchange->file_name = "qsosync-members.csv";
    buffer_append_string(exchange->body,
                         "callsign,locator,login,active,operator,qsos,activeKeys,added,lastUsed,"
                         "password,invitedUntil\r\n");
    return profile_store_error(store_search_members(exchange->store, &all, INT64_MAX,
                                                    exchange->request->arrived_ms, add_line,
                                                    exchange->response));
}

OPERATOR_ROUTE(operator_members, METHOD_GET, "members", 200, answer_list);
OPERATOR_FILE_ROUTE(operator_table, METHOD_GET, "members.csv", answer_table);

/* POST /operator/data/members: adds members by a list, "callsign, locator" a line, all of them or
 * none. With "dryRun" nothing is added; the answer is the same, so that the page can show first
 * what would happen. One member is a list of one line. */

static void write_entry(struct exchange *exchange, const struct member_entry *entry)
{
    struct buffer *body = exchange->body;
    bool is_good = entry->fault == MEMBER_FAULT_NONE;
    const char *reason = is_good ? NULL : member_entry_reason(entry, exchange->arena);
    json_write_item(body, json_integer("line", entry->line), json_text("written", entry->written),
                    json_text("callsign", is_good ? entry->member.callsign : (struct text){0}),
                    json_text("locator", is_good ? entry->member.locator : (struct text){0}),
                    json_text("fault", text_of(is_good ? NULL : member_fault_name(entry->fault))),
                    json_text("reason", text_of(reason)),
                    json_text("other", !is_good ? entry->other : (struct text){0}),
                    json_integer("otherLine", is_good ? 0 : entry->other_line));
}

static const struct error *answer_add(struct exchange *exchange)
{
    struct member_list list;
    struct text text;
    bool dry_run;
    TRY(profile_read_optional_flag(exchange, "dryRun", &dry_run));
    TRY(profile_read_list(exchange, "list", &text));
    enum store_result result = member_list_read(exchange->store, exchange->arena, text, &list);
    bool adds = result == STORE_DONE && list.fault_count == 0 && list.count > 0 && !dry_run;
    if (adds)
        result = member_list_add(exchange->store, &list);
    if (result != STORE_DONE && result != STORE_REFUSED) /* refused: a line has its fault now */
        return operator_store_error(exchange, result, NULL);
    json_begin_array(exchange->body, "lines");
    for (size_t i = 0; i < list.count; i++)
        write_entry(exchange, &list.entries[i]);
    buffer_append(exchange->body, "]", 1);
    json_write_fields(
        exchange->body, json_integer("faults", (int64_t)list.fault_count),
        json_integer("added", adds && result == STORE_DONE ? (int64_t)list.count : 0));
    return NULL;
}

/* The whole list of a club. */
static const struct route_body list_body = {.bytes_max = 1 << 20, .json = {.items_max = 16}};

OPERATOR_ROUTE(operator_add, METHOD_POST, "members", 200, answer_add, .body = &list_body);

/* -- One member -------------------------------------------------------------------------------- */

/* Changes one member for an operator: locator, callsign, role, disabling, QSL card, and the end of
 * the membership with its export. Each is the same function of the store as the operator's command
 * uses, which notes who did it. */

static const struct error *answer_locator(struct exchange *exchange)
{
    struct text locator;
    TRY(profile_read_locator(exchange, &locator));
    return operator_store_error(
        exchange, store_set_member(exchange->store, exchange->number, locator, (struct text){0}),
        &error_internal);
}

static const struct error *answer_rename(struct exchange *exchange)
{
    struct text callsign;
    TRY(operator_read_callsign(exchange, &callsign));
    return operator_store_error(exchange,
                                store_rename_member(exchange->store, exchange->number, callsign),
                                &site_error_callsign_taken);
}

static const struct error *answer_active(struct exchange *exchange)
{
    bool active = exchange->route == &route_operator_enable;
    TRY(active ? NULL : operator_check_other(exchange));
    return operator_store_error(exchange,
                                store_set_member_active(exchange->store, exchange->number, active),
                                &site_error_last_operator);
}

static const struct error *answer_operator(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    if (exchange->subject.is_station)
        return &site_error_station;
    return operator_store_error(exchange, store_set_operator(exchange->store, exchange->number, on),
                                &site_error_last_operator);
}

static const struct error *answer_remove_card(struct exchange *exchange)
{
    enum store_result result = store_remove_card(exchange->store, exchange->number, true);
    return result == STORE_NONE ? &site_error_no_card
                                : operator_store_error(exchange, result, &error_internal);
}

/* -- The end of a membership ------------------------------------------------------------------- */

/* A disabled member's log changes no more, and reading its data is not casual. So disabling is
 * recorded, and so is reading, which is therefore a POST. */
static const struct error *answer_export(struct exchange *exchange)
{
    if (exchange->subject.active)
        return &site_error_still_active;
    TRY(profile_store_error(store_record_operator_act(
        exchange->store, "member export", exchange->subject.callsign, (struct text){0})));
    exchange->file_name = "qsosync-everything.json";
    return profile_store_error(member_export_write(exchange->store, &exchange->subject,
                                                   exchange->request->arrived_ms,
                                                   profile_write_piece, exchange));
}

static const struct error *answer_delete(struct exchange *exchange)
{
    TRY(operator_check_other(exchange));
    if (exchange->subject.active)
        return &site_error_still_active;
    struct text typed = text_trim(json_read_text(exchange->sent, "callsign"));
    if (!typed.bytes || !match_same_callsign(typed, exchange->subject.callsign))
        return input_refuse(exchange, "callsign", "must be the member's callsign");
    return operator_store_error(exchange, store_delete_member(exchange->store, exchange->number),
                                &site_error_last_operator);
}

OPERATOR_ROUTE(operator_locator, METHOD_POST, "members/{number}/locator", 204, answer_locator,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_rename, METHOD_POST, "members/{number}/rename", 204, answer_rename,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_disable, METHOD_POST, "members/{number}/disable", 204, answer_active,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_enable, METHOD_POST, "members/{number}/enable", 204, answer_active,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_role, METHOD_POST, "members/{number}/operator", 204, answer_operator,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_remove_card, METHOD_POST, "members/{number}/remove-card", 204,
               answer_remove_card, .body = &body_small_object);
OPERATOR_FILE_ROUTE(operator_export, METHOD_POST, "members/{number}/export", answer_export,
                    .body = &body_small_object);
OPERATOR_ROUTE(operator_delete, METHOD_POST, "members/{number}/delete", 204, answer_delete,
               .body = &body_small_object);
