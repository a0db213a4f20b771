/* POST /operator/data/members: adds members by a list, "callsign, locator" a line, all of them or
 * none. With "dryRun" nothing is added; the answer is the same, so that the page can show first
 * what would happen. One member is a list of one line. */
#include "json/write.h"
#include "site/operator.h"
#include "transfer/member_list.h"

static void write_entry(struct exchange *exchange, const struct member_entry *entry)
{
    struct buffer *body = &exchange->response->body;
    bool is_good = entry->fault == MEMBER_FAULT_NONE;
    const char *reason = is_good ? NULL : member_entry_reason(entry, exchange->arena);
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_integer(body, "line", entry->line);
    json_write_text(body, "written", entry->written);
    json_write_text(body, "callsign", is_good ? entry->member.callsign : (struct text){0});
    json_write_text(body, "locator", is_good ? entry->member.locator : (struct text){0});
    json_write_text(body, "fault", text_of(is_good ? NULL : member_fault_name(entry->fault)));
    json_write_text(body, "reason", text_of(reason));
    json_write_text(body, "other", !is_good ? entry->other : (struct text){0});
    json_write_integer(body, "otherLine", is_good ? 0 : entry->other_line);
    buffer_append(body, "}", 1);
}

static void write_list(struct exchange *exchange, const struct member_list *list, bool added)
{
    struct buffer *body = &exchange->response->body;
    buffer_append_string(body, "{\"lines\":[");
    for (size_t i = 0; i < list->count; i++)
        write_entry(exchange, &list->entries[i]);
    buffer_append(body, "]", 1);
    json_write_integer(body, "faults", (int64_t)list->fault_count);
    json_write_integer(body, "added", added ? (int64_t)list->count : 0);
    buffer_append(body, "}", 1);
}

static const struct error *answer_add(struct exchange *exchange)
{
    const struct json_fields *body;
    struct member_list list;
    struct text text;
    bool dry_run;
    const struct error *error = profile_read_trial(exchange, "list", &body, &text, &dry_run);
    if (error)
        return error;
    enum store_result result = member_list_read(exchange->store, exchange->arena, text, &list);
    bool adds = result == STORE_DONE && list.fault_count == 0 && list.count > 0 && !dry_run;
    if (adds)
        result = member_list_add(exchange->store, &list);
    if (result != STORE_DONE && result != STORE_REFUSED) /* refused: a line has its fault now */
        return operator_store_error(exchange, result, NULL);
    write_list(exchange, &list, adds && result == STORE_DONE);
    return NULL;
}

OPERATOR_ROUTE(operator_add, METHOD_POST, "members", USES_STORE, 200, answer_add);
