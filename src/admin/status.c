/* The commands status, metrics and log: numbers about the logbook for people, for programs (--json)
 * and for Prometheus, and what operators did. The file for Prometheus is replaced as a whole, so
 * that nobody reads half of it. The numbers are read by the store. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "installation.h"
#include "json/write.h"
#include "json/write_object.h"
#include "recovery/facts.h"
#include "store/log/rejection_counts.h"
#include "store/operator_log.h"

#define READABLE_FOR_ALL 0644
#define STORAGE_ROWS 20

static struct facts read_facts(struct invocation *invocation)
{
    struct facts facts;
    command_require_done(
        facts_read(invocation->store, invocation->database, invocation->arena, &facts));
    return facts;
}

/* Members' storage in addition to QSOs, the largest amounts first. */
struct storage_list {
    struct listing listing;
    int64_t max; /* bytes of a member */
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
    const struct facts facts = read_facts(invocation);
    struct listing keys;
    struct buffer out = {0};
    keys_collect_all(invocation, &keys);
    const struct listing storage = list_storage(invocation);
    const bool json = command_has_option(invocation, "json");
    if (json)
        write_status(&out, &facts, &keys, &storage);
    else
        append_status(&out, &facts, &keys, &storage);
    command_print(&out, json);
}

/* -- Prometheus' text format, version 0.0.4 ---------------------------------------------------- */

/* Each metric has its help text as the label, and the name that follows qsosync_. */
static const struct fact metrics[] = {
    {"QSOs in the logbook.", "qsos", FACT_NUMBER, offsetof(struct facts, logbook.qsos)},
    {"Spots in the logbook.", "spots", FACT_NUMBER, offsetof(struct facts, logbook.spots)},
    {"Deletions that clients can still fetch.", "tombstones", FACT_NUMBER,
     offsetof(struct facts, logbook.tombstones)},
    {"Earlier versions of QSOs, kept for undo.", "former_states", FACT_NUMBER,
     offsetof(struct facts, logbook.former_states)},
    {"Members, disabled ones included, stations not.", "members", FACT_NUMBER,
     offsetof(struct facts, logbook.members)},
    {"Browsers that are signed in.", "sessions", FACT_NUMBER,
     offsetof(struct facts, logbook.sessions)},
    {"API keys that are not revoked.", "keys_active", FACT_NUMBER,
     offsetof(struct facts, logbook.active_keys)},
    {"Size of the database file.", "database_bytes", FACT_NUMBER,
     offsetof(struct facts, logbook.database_bytes)},
    {"Size of the write-ahead log.", "wal_bytes", FACT_NUMBER,
     offsetof(struct facts, logbook.log_bytes)},
    {"Version of the database's schema.", "schema_version", FACT_NUMBER,
     offsetof(struct facts, logbook.schema_version)},
    {"Time of the last write; 0: never.", "last_write_timestamp_seconds", FACT_TIME,
     offsetof(struct facts, logbook.last_write_ms)},
    {"Time of the last backup; 0: never.", "last_backup_timestamp_seconds", FACT_TIME,
     offsetof(struct facts, backup.made_at_ms)},
};

/* Codes are capitals, dots and underscores: nothing to escape. */
static void append_rejections(void *context, const char *code, int64_t count)
{
    buffer_print(context, "qsosync_refused_entries_total{code=\"%s\"} %lld\n",
                 code ? code : "OTHER", (long long)count);
}

/* Acts as the owner of the file's folder, who gains nothing by a link there. Readers never see half
 * of the file. */
static void write_to(struct invocation *invocation, const char *path, struct buffer *content)
{
    struct folder_ids before;
    const char *fresh = arena_print(invocation->arena, "%s.new", path);
    int file = -1;
    if (folder_act_as_owner(path, &before)) {
        unlink(fresh);
        file = folder_open_file(fresh, O_WRONLY | O_CREAT | O_EXCL);
    }
    errno = file < 0 ? errno : ENOSPC;
    if (file < 0 || write(file, content->bytes, content->length) != (ssize_t)content->length ||
        fchmod(file, READABLE_FOR_ALL) != 0 || rename(fresh, path) != 0)
        command_refuse("%s: cannot write the file: %s", path, strerror(errno));
    close(file);
    folder_act_as(before);
    buffer_free(content);
}

void run_metrics(struct invocation *invocation)
{
    struct buffer out = {0};
    const struct facts facts = read_facts(invocation);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        const char *name = metrics[i].name;
        const int64_t number = facts_number(&facts, &metrics[i]);
        buffer_print(&out, "# HELP qsosync_%s %s\n# TYPE qsosync_%s gauge\nqsosync_%s %lld\n", name,
                     metrics[i].label, name, name,
                     (long long)(metrics[i].kind == FACT_TIME ? number / 1000 : number));
    }
    buffer_append_string(&out, "# HELP qsosync_build_info The version of qsosync-admin.\n"
                               "# TYPE qsosync_build_info gauge\n"
                               "qsosync_build_info{version=\"" QSOSYNC_VERSION "\"} 1\n");
    buffer_append_string(&out, "# HELP qsosync_refused_entries_total Entries of batches that were "
                               "rejected, by code; OTHER: with a sentence instead of a code.\n"
                               "# TYPE qsosync_refused_entries_total counter\n");
    store_list_rejection_counts(invocation->store, append_rejections, &out);
    const char *file = command_option(invocation, "to");
    if (file)
        write_to(invocation, file, &out);
    else
        command_print(&out, false);
}

/* -- What operators did ------------------------------------------------------------------------ */

/* The command log: what operators did, by their page or by commands, newest first. The store notes
 * the acts, together with what they change; note_act notes those with files, which the store does
 * not see. */

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 50000

static void add_row(void *context, const struct operator_act *act)
{
    struct listing *listing = context;
    listing_add(listing, cell_time(act->at_ms), cell(act->operator), cell(act->act),
                cell(act->subject), cell(act->details));
}

void run_log(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_OPERATOR_ACTS, .arena = invocation->arena};
    const int64_t limit = command_read_number(invocation, "limit", LIMIT_MAX, LIMIT_DEFAULT);
    command_require_done(store_list_operator_acts(invocation->store, 0, limit, add_row, &listing));
    listing_print(invocation, &listing);
}
