/* The command status: shows the state of the logbook, its keys and the members' storage, as text
 * for people or as JSON for programs. */
#include <stdio.h>

#include "admin/command.h"
#include "admin/keys.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "admin/values.h"
#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "recovery/facts.h"
#include "store/log/logbook.h"
#include "store/storage.h"

#define STORAGE_ROWS 20

/* The storage that members use in addition to QSOs, largest first. */
struct storage_list {
    struct listing listing;
    int64_t max; /* maximum bytes per member */
};

static void add_storage(void *context, struct text callsign, const struct storage *storage)
{
    struct storage_list *list = context;
    listing_add(&list->listing, cell(callsign), cell(storage->history), cell(storage->leftovers),
                cell(storage->polo), cell(storage->cards), cell(storage->known),
                cell(storage_sum(storage)), cell(list->max));
}

static struct listing list_storage(struct invocation *invocation)
{
    struct storage_list list = {{.list = LIST_STORAGE, .arena = invocation->arena},
                                store_storage_max(invocation->store)};
    command_require_done(store_list_storage(invocation->store, STORAGE_ROWS, add_storage, &list));
    return list.listing;
}

static void append_status(struct buffer *out, const struct facts *facts, const struct listing *keys,
                          const struct listing *storage)
{
    for (const struct fact *fact = facts_rows; fact->label; fact++) {
        buffer_print(out, "%-16s ", fact->label);
        facts_append_value(out, facts, fact);
        buffer_append(out, "\n", 1);
    }
    for (const struct kept_file *kept = facts->kept; kept; kept = kept->next) {
        char made[DATETIME_TEXT_LENGTH], goes[DATETIME_TEXT_LENGTH];
        datetime_format(kept->made_at_ms, made);
        datetime_format(kept->made_at_ms + facts->backup.keep * DATETIME_DAY_MS, goes);
        buffer_print(out, "%-16s %s, from %.10s, deleted %s%.*s\n", "kept", kept->path, made,
                     facts->backup.keep ? "after " : "once backups run with --keep",
                     facts->backup.keep ? 10 : 0, goes);
    }
    buffer_append(out, "\n", 1);
    listing_append_table(keys, out);
    if (!storage->first)
        return;
    buffer_append(out, "\n", 1);
    listing_append_table(storage, out);
}

static void write_status(struct buffer *out, const struct facts *facts, const struct listing *keys,
                         const struct listing *storage)
{
    buffer_append(out, "{", 1);
    for (const struct fact *fact = facts_rows; fact->label; fact++)
        if (fact->kind == FACT_TEXT)
            json_write_text(out, fact->name, facts_text(facts, fact));
        else if (fact->kind == FACT_TIME)
            json_write_time(out, fact->name, facts_number(facts, fact));
        else
            json_write_integer(out, fact->name, facts_number(facts, fact));
    json_begin_array(out, "kept");
    for (const struct kept_file *kept = facts->kept; kept; kept = kept->next) {
        const int64_t days = facts->backup.keep;
        const int64_t end_ms = days ? kept->made_at_ms + days * DATETIME_DAY_MS : 0;
        json_write_item(out, json_text("path", text_of(kept->path)),
                        json_time("keptAt", kept->made_at_ms), json_time("goesAfter", end_ms));
    }
    buffer_append_string(out, "]");
    json_write_name(out, "storage");
    listing_append_json(storage, out);
    json_write_name(out, "keys");
    listing_append_json(keys, out);
    buffer_append_string(out, "}\n");
}

void run_status(struct invocation *invocation)
{
    struct facts facts;
    struct listing keys;
    struct buffer out = {0};
    command_require_done(
        facts_read(invocation->store, invocation->database, invocation->arena, &facts));
    keys_collect_all(invocation, &keys);
    const struct listing storage = list_storage(invocation);
    const bool json = command_has_option(invocation, "json");
    if (json)
        write_status(&out, &facts, &keys, &storage);
    else
        append_status(&out, &facts, &keys, &storage);
    output_print(&out, json);
}
