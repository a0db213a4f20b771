/* The command member add --from: reads a list, reports each fault with its line number, and adds
 * all members or no members. transfer/member_list.c reads the lines and compares them with the
 * existing members. */
#include <stdio.h>

#include "admin/command.h"
#include "admin/file_argument.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "admin/values.h"
#include "transfer/member_list.h"

#define LIST_MAX_BYTES 1048576

void run_member_add_from(struct invocation *invocation)
{
    const char *path = command_option(invocation, "from");
    struct member_list list;
    struct listing listing = {.list = LIST_ENTRIES, .arena = invocation->arena};
    const bool dry_run = command_has_option(invocation, "dry-run");
    const struct text text = file_argument_read(path, LIST_MAX_BYTES);
    command_require_done(member_list_read(invocation->store, invocation->arena, text, &list));
    if (list.count == 0)
        command_refuse("%s lists no members", path);
    if (!dry_run && list.fault_count == 0) {
        enum store_result result = member_list_add(invocation->store, &list);
        command_require_done(result == STORE_REFUSED ? STORE_DONE : result);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct member_entry *entry = &list.entries[i];
        const bool good = entry->fault == MEMBER_FAULT_NONE;
        const char *reason = good ? NULL : member_entry_reason(entry, invocation->arena);
        listing_add(&listing, cell(entry->line),
                    cell(good ? entry->member.callsign : entry->written),
                    cell(good ? entry->member.locator : (struct text){0}),
                    cell(good ? entry->member.login : (struct text){0}), cell(text_of(reason)));
        if (reason && !dry_run)
            output_write(stdout, "line %lld: %s\n", (long long)entry->line, reason);
    }
    if (dry_run)
        listing_print(invocation, &listing);
    if (list.fault_count > 0)
        command_refuse("nobody was added; correct the lines with errors (%zu of %zu)",
                       list.fault_count, list.count);
    output_report(dry_run ? "%zu member%s would be added" : "added %zu member%s", list.count,
                  list.count == 1 ? "" : "s");
}
