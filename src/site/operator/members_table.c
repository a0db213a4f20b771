/* GET /operator/data/members.csv: all members as a table for a spreadsheet. */
#include "base/datetime.h"
#include "site/operator/routes.h"
#include "store/people/members.h"
#include "transfer/csv.h"
#include "transfer/export.h"

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

OPERATOR_FILE_ROUTE(operator_table, METHOD_GET, "members.csv", answer_table);
