/* POST /operator/data/members: adds the members in a list, with one "callsign, locator" per line.
 * If a line has a fault, nobody is added. A dry run ("dryRun") also adds nobody. Its answer differs
 * only in the number of added members, so the page can show the result first. A single member is a
 * list with one line. */
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "store/people/members.h"
#include "transfer/member_list.h"

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
    /* STORE_REFUSED: a line now has a fault. */
    if (result != STORE_DONE && result != STORE_REFUSED)
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

static const struct route_body list_body = {.bytes_max = 1 << 20, .json = {.items_max = 16}};

OPERATOR_ROUTE(operator_add, METHOD_POST, "members", 200, answer_add, .body = &list_body);
