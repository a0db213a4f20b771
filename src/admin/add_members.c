/* The command member add --from: reads a list, names each fault by its line, and adds all members
 * or none. What a line may hold, and how lines are compared with the members that there are, is
 * left to transfer/member_list.c. */
#include "admin/add_members.h"

#include <stdio.h>

#include "admin/given_file.h"
#include "admin/listing.h"
#include "transfer/member_list.h"

#define LIST_MAX_BYTES 1048576

static const struct column entry_columns[] = {
    {"LINE", "line", CELL_NUMBER},     {"CALLSIGN", "callsign", CELL_TEXT},
    {"LOCATOR", "locator", CELL_TEXT}, {"LOGIN", "login", CELL_TEXT},
    {"FAULT", "fault", CELL_TEXT},     {NULL, NULL, CELL_TEXT},
};

static int show_entries(struct invocation *invocation, const struct member_list *list)
{
    struct listing listing = {.columns = entry_columns, .arena = invocation->arena};
    for (size_t i = 0; i < list->count; i++) {
        const struct member_entry *entry = &list->entries[i];
        bool good = entry->fault == MEMBER_FAULT_NONE;
        listing_add_row(&listing);
        listing_add_number(&listing, entry->line);
        listing_add_text(&listing, good ? entry->member.callsign : entry->written);
        listing_add_text(&listing, good ? entry->member.locator : (struct text){0});
        listing_add_text(&listing, good ? entry->member.login : (struct text){0});
        listing_add_text(&listing,
                         text_of(good ? NULL : member_entry_reason(entry, invocation->arena)));
    }
    if (!listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return EXIT_DONE;
}

static int show_faults(struct invocation *invocation, const struct member_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].fault != MEMBER_FAULT_NONE)
            printf("line %lld: %s\n", (long long)list->entries[i].line,
                   member_entry_reason(&list->entries[i], invocation->arena));
    return command_finish_output();
}

static int refuse_faults(const struct member_list *list)
{
    return command_refuse("%zu of %zu lines cannot become members; nobody was added",
                          list->fault_count, list->count);
}

static const char *plural(const struct member_list *list)
{
    return list->count == 1 ? "" : "s";
}

int add_members_from(struct invocation *invocation)
{
    const char *path = command_option(invocation, "from");
    struct text text;
    struct member_list list;
    bool dry_run = command_has_option(invocation, "dry-run");
    if (!given_file_take(invocation, path, LIST_MAX_BYTES, &text) ||
        member_list_read(invocation->store, invocation->arena, text, &list) != STORE_DONE)
        return EXIT_REFUSED;
    if (list.count == 0)
        return command_refuse("%s names no member", path);
    enum store_result result = STORE_DONE;
    if (!dry_run && list.fault_count == 0)
        result = member_list_add(invocation->store, &list);
    if (result != STORE_DONE && result != STORE_REFUSED)
        return EXIT_REFUSED;
    int status = dry_run ? show_entries(invocation, &list) : show_faults(invocation, &list);
    if (status != EXIT_DONE)
        return status;
    if (list.fault_count > 0)
        return refuse_faults(&list);
    return command_say(dry_run ? "%zu member%s would be added" : "added %zu member%s", list.count,
                       plural(&list));
}
