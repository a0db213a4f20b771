/* The command metrics: writes numbers about the logbook in Prometheus' text format, version 0.0.4.
 * An output file is replaced as a whole, so that nobody reads a half-written file. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/output.h"
#include "admin/values.h"
#include "base/folder.h"
#include "installation.h"
#include "recovery/facts.h"
#include "store/log/logbook.h"
#include "store/log/rejection_counts.h"

#define READABLE_FOR_ALL 0644

/* The metrics: the label is the help text, and the name follows "qsosync_". */
static const struct fact metrics[] = {
    {"QSOs in the logbook.", "qsos", FACT_NUMBER, offsetof(struct facts, logbook.qsos)},
    {"Spots in the logbook.", "spots", FACT_NUMBER, offsetof(struct facts, logbook.spots)},
    {"Deletions that clients can still fetch.", "tombstones", FACT_NUMBER,
     offsetof(struct facts, logbook.tombstones)},
    {"Earlier versions of QSOs, kept for undo.", "former_states", FACT_NUMBER,
     offsetof(struct facts, logbook.former_states)},
    {"Members, including disabled members but not stations.", "members", FACT_NUMBER,
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

/* Appends the count of entries rejected with a code. Codes need no escaping, because they consist
 * of capital letters, dots and underscores. */
static void append_rejections(void *context, const char *code, int64_t count)
{
    buffer_print(context, "qsosync_refused_entries_total{code=\"%s\"} %lld\n",
                 code ? code : "OTHER", (long long)count);
}

/* Writes the file as the owner of its folder, so that a link in that folder cannot direct root's
 * writes to another file. Readers never see a half-written file. */
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
    struct facts facts;
    command_require_done(
        facts_read(invocation->store, invocation->database, invocation->arena, &facts));
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
    buffer_append_string(&out, "# HELP qsosync_refused_entries_total Rejected entries of batches, "
                               "by code; OTHER: entries that were rejected without a code.\n"
                               "# TYPE qsosync_refused_entries_total counter\n");
    store_list_rejection_counts(invocation->store, append_rejections, &out);
    const char *file = command_option(invocation, "to");
    if (file)
        write_to(invocation, file, &out);
    else
        output_print(&out, false);
}
