/* The commands status and metrics: numbers about the logbook for people, for programs (--json) and
 * for Prometheus. The file for Prometheus is replaced as a whole, so that nobody reads half of it.
 * The numbers are read by the store. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/keys.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "installation.h"
#include "json/write.h"
#include "recovery/backup.h"
#include "store/logbook.h"
#include "store/refusals.h"

#define READABLE_FOR_ALL 0644

struct status {
    struct logbook_status logbook;
    struct backup_note backup; /* made_at_ms 0: none was ever noted */
};

static enum store_result read_status(struct invocation *invocation, struct status *status)
{
    *status = (struct status){0};
    enum store_result result = store_read_status(invocation->store, &status->logbook);
    if (result == STORE_DONE)
        store_find_backup_note(invocation->database, invocation->arena, &status->backup);
    return result;
}

/* One number or text that people and programs read. */
struct fact {
    const char *label, *name;
    enum { FACT_NUMBER, FACT_BYTES, FACT_TIME, FACT_TEXT } kind;
    int64_t number; /* of a time: 0 is never */
    struct text text;
};

#define FACTS_MAX 16

static int collect_facts(struct invocation *invocation, const struct status *status,
                         struct fact facts[FACTS_MAX])
{
    const struct logbook_status *logbook = &status->logbook;
    const struct fact all[] = {
        {"version", "version", FACT_TEXT, 0, text_of(QSOSYNC_VERSION)},
        {"logbook", "logbook", FACT_TEXT, 0, text_of(invocation->database)},
        {"database", "databaseBytes", FACT_BYTES, logbook->database_bytes, {0}},
        {"write-ahead log", "walBytes", FACT_BYTES, logbook->log_bytes, {0}},
        {"schema version", "schemaVersion", FACT_NUMBER, logbook->schema_version, {0}},
        {"log epoch", "logEpoch", FACT_NUMBER, logbook->log_epoch, {0}},
        {"members", "members", FACT_NUMBER, logbook->members, {0}},
        {"active members", "activeMembers", FACT_NUMBER, logbook->active_members, {0}},
        {"active keys", "activeKeys", FACT_NUMBER, logbook->active_keys, {0}},
        {"QSOs", "qsos", FACT_NUMBER, logbook->qsos, {0}},
        {"spots", "spots", FACT_NUMBER, logbook->spots, {0}},
        {"tombstones", "tombstones", FACT_NUMBER, logbook->tombstones, {0}},
        {"last write", "lastWriteAt", FACT_TIME, logbook->last_write_ms, {0}},
        {"last backup", "lastBackupAt", FACT_TIME, status->backup.made_at_ms, {0}},
        {"backup file", "lastBackup", FACT_TEXT, 0, status->backup.path},
    };
    memcpy(facts, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

static void append_value(struct buffer *out, const struct fact *fact)
{
    char time[DATETIME_TEXT_LENGTH];
    if (fact->kind == FACT_TEXT)
        buffer_append(out, fact->text.bytes ? fact->text.bytes : "-",
                      fact->text.bytes ? fact->text.length : 1);
    else if (fact->kind == FACT_TIME && fact->number == 0)
        buffer_append_string(out, "never");
    else if (fact->kind == FACT_TIME) {
        datetime_format(fact->number, time);
        buffer_append(out, time, sizeof time);
    } else
        buffer_print(out, "%lld%s", (long long)fact->number,
                     fact->kind == FACT_BYTES ? " bytes" : "");
}

static void write_fact(struct buffer *out, const struct fact *fact)
{
    switch (fact->kind) {
    case FACT_TEXT:
        json_write_text(out, fact->name, fact->text);
        break;
    case FACT_TIME:
        json_write_time(out, fact->name, fact->number);
        break;
    case FACT_NUMBER:
    case FACT_BYTES:
        json_write_integer(out, fact->name, fact->number);
        break;
    }
}

static void append_status(struct buffer *out, const struct fact *facts, int count,
                          const struct listing *keys)
{
    for (int i = 0; i < count; i++) {
        buffer_print(out, "%-16s ", facts[i].label);
        append_value(out, &facts[i]);
        buffer_append(out, "\n", 1);
    }
    buffer_append(out, "\n", 1);
    listing_append_table(keys, out);
}

static void write_status(struct buffer *out, const struct fact *facts, int count,
                         const struct listing *keys)
{
    buffer_append(out, "{", 1);
    for (int i = 0; i < count; i++)
        write_fact(out, &facts[i]);
    json_write_name(out, "keys");
    listing_append_json(keys, out);
    buffer_append_string(out, "}\n");
}

static int print(struct buffer *out)
{
    bool written = fwrite(out->bytes, 1, out->length, stdout) == out->length;
    buffer_free(out);
    return written ? command_finish_output() : command_refuse("cannot write to standard output");
}

static int run_status(struct invocation *invocation)
{
    struct status status;
    struct listing keys;
    struct fact facts[FACTS_MAX];
    struct buffer out = {0};
    bool json = command_has_option(invocation, "json");
    enum store_result result = read_status(invocation, &status);
    if (result == STORE_DONE)
        result = keys_collect_all(invocation, &keys);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    int count = collect_facts(invocation, &status, facts);
    if (json)
        write_status(&out, facts, count, &keys);
    else
        append_status(&out, facts, count, &keys);
    return print(&out);
}

/* -- Prometheus' text format, version 0.0.4 ---------------------------------------------------- */

struct metric {
    const char *name, *help;
    int64_t value;
};

/* Codes are capitals, dots and underscores: nothing to escape. */
static void append_rejections(void *context, const char *code, int64_t count)
{
    buffer_print(context, "qsosync_refused_entries_total{code=\"%s\"} %lld\n",
                 code ? code : "OTHER", (long long)count);
}

/* Acts as the owner of the file's folder, who gains nothing by a link there. Readers never see half
 * of the file. */
static bool replace_file(const char *path, const char *fresh, const struct buffer *content)
{
    unlink(fresh);
    int file = folder_open_file(fresh, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0)
        return false;
    errno = ENOSPC;
    bool written = write(file, content->bytes, content->length) == (ssize_t)content->length &&
                   fchmod(file, READABLE_FOR_ALL) == 0;
    close(file);
    return written && rename(fresh, path) == 0;
}

static int write_to(struct invocation *invocation, const char *path, struct buffer *content)
{
    struct folder_ids before;
    const char *fresh = arena_print(invocation->arena, "%s.new", path);
    bool written = folder_act_as_owner(path, &before) && replace_file(path, fresh, content);
    int error = errno;
    folder_act_as(before);
    buffer_free(content);
    return written ? EXIT_DONE
                   : command_refuse("%s: cannot write the file: %s", path, strerror(error));
}

static int run_metrics(struct invocation *invocation)
{
    struct status status;
    struct buffer out = {0};
    if (read_status(invocation, &status) != STORE_DONE)
        return EXIT_REFUSED;
    const struct logbook_status *logbook = &status.logbook;
    const struct metric metrics[] = {
        {"qsos", "QSOs in the logbook.", logbook->qsos},
        {"spots", "Spots in the logbook.", logbook->spots},
        {"tombstones", "Deletions that clients can learn of.", logbook->tombstones},
        {"members", "Members, disabled ones included.", logbook->members},
        {"keys_active", "API keys that are not revoked.", logbook->active_keys},
        {"database_bytes", "Size of the database file.", logbook->database_bytes},
        {"wal_bytes", "Size of the write-ahead log beside it.", logbook->log_bytes},
        {"schema_version", "Version of the database's schema.", logbook->schema_version},
        {"last_write_timestamp_seconds", "Time of the last write; 0: never.",
         logbook->last_write_ms / 1000},
        {"last_backup_timestamp_seconds", "Time of the last backup; 0: never.",
         status.backup.made_at_ms / 1000},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        buffer_print(&out, "# HELP qsosync_%s %s\n# TYPE qsosync_%s gauge\nqsosync_%s %lld\n",
                     metrics[i].name, metrics[i].help, metrics[i].name, metrics[i].name,
                     (long long)metrics[i].value);
    buffer_append_string(&out, "# HELP qsosync_build_info The version of qsosync-admin.\n"
                               "# TYPE qsosync_build_info gauge\n"
                               "qsosync_build_info{version=\"" QSOSYNC_VERSION "\"} 1\n");
    buffer_append_string(&out, "# HELP qsosync_refused_entries_total Entries of batches that were "
                               "refused, by code; OTHER: by a sentence.\n"
                               "# TYPE qsosync_refused_entries_total counter\n");
    store_list_rejection_counts(invocation->store, append_rejections, &out);
    const char *file = command_option(invocation, "to");
    return file ? write_to(invocation, file, &out) : print(&out);
}

const struct command status_commands[] = {
    {.words = "status",
     .opening = OPENS_TO_READ,
     .usage = "[--json]",
     .summary = "show the state of the logbook, and when each key was last used",
     .run = run_status},
    {.words = "metrics",
     .opening = OPENS_TO_READ,
     .usage = "[--to FILE]",
     .summary = "print numbers of the logbook for Prometheus",
     .run = run_metrics},
    {0},
};
