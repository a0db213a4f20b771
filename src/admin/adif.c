/* The commands import and export: logs in and out of the logbook as files. They open the files,
 * show progress, print the report, and choose the exit status. Reading and writing the formats is
 * left to src/transfer. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/buffer.h"
#include "installation.h"
#include "json/write.h"
#include "store/members.h"
#include "transfer/export.h"
#include "transfer/import.h"
#include "transfer/report.h"

/* Puts the report of an import into words for a person, or into JSON for a program. Its length was
 * bounded when it was collected (src/transfer/report.c). Texts of the file are printable already;
 * nothing is decided here. */

/* -- For people -------------------------------------------------------------------------------- */

static void print_reason(const struct report_reason *reason)
{
    const char *kind = report_notice_name(reason->notice);
    for (int64_t i = 0; i < report_cases_kept(reason); i++) {
        const struct report_case *first = &reason->first[i];
        printf("%s: line %lld, record %lld: %s%s%s\n", kind, (long long)first->line,
               (long long)first->record, first->field.bytes, first->field.length > 0 ? " " : "",
               reason->text);
    }
    if (reason->count > REPORT_FIRST)
        printf("%s: %lld more: %s\n", kind, (long long)(reason->count - REPORT_FIRST),
               reason->text);
}

/* Prints it to standard output: the counts, each on a line, then the details. */
static int import_report_print(const struct report *report, bool dry_run)
{
    printf("imported %lld\nupdated %lld\nunchanged %lld\nrefused %lld\nother bands %lld\n",
           (long long)report->imported, (long long)report->updated, (long long)report->unchanged,
           (long long)report->refused, (long long)report->other_bands);
    if (report->new_ids)
        printf("new ids %lld\n", (long long)report->new_ids);
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        print_reason(reason);
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        printf("no place: %s %lld\n", name->key.length > 0 ? name->key.bytes : "other fields",
               (long long)*(const int64_t *)name->value);
    if (dry_run)
        printf("nothing was saved\n");
    return command_finish_output();
}

/* -- For programs ------------------------------------------------------------------------------ */

static void begin_detail(struct buffer *out, const struct report_reason *reason)
{
    json_write_line(out);
    buffer_append(out, "{", 1);
    json_write_text(out, "kind", text_of(report_notice_name(reason->notice)));
}

static void write_cases(struct buffer *out, const struct report *report)
{
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        for (int64_t i = 0; i < report_cases_kept(reason); i++) {
            begin_detail(out, reason);
            json_write_integer(out, "line", reason->first[i].line);
            json_write_integer(out, "record", reason->first[i].record);
            json_write_text(out, "field", text_of(reason->first[i].field.bytes));
            json_write_text(out, "reason", text_of(reason->text));
            buffer_append(out, "}", 1);
        }
}

static void write_more(struct buffer *out, const struct report *report)
{
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        if (reason->count > REPORT_FIRST) {
            begin_detail(out, reason);
            json_write_text(out, "reason", text_of(reason->text));
            json_write_integer(out, "count", reason->count - REPORT_FIRST);
            buffer_append(out, "}", 1);
        }
}

/* The same as one JSON object. */
static int import_report_print_json(const struct report *report, bool dry_run)
{
    struct buffer out = {0};
    buffer_append(&out, "{", 1);
    report_write_counts(&out, report);
    json_write_flag(&out, "dryRun", dry_run);
    json_begin_array(&out, "details");
    write_cases(&out, report);
    buffer_append(&out, "]", 1);
    json_begin_array(&out, "more");
    write_more(&out, report);
    buffer_append(&out, "]", 1);
    json_begin_object(&out, "noPlace");
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        json_write_integer(&out, name->key.bytes, *(const int64_t *)name->value);
    buffer_append_string(&out, "}}\n");
    return command_print(&out);
}

#define CHUNK_BYTES 65536

/* -- Import ------------------------------------------------------------------------------------ */

static int note_import(struct invocation *invocation, const struct member *member,
                       const struct report *report)
{
    return note_act(invocation, "import", member->callsign, invocation->arguments[1],
                    arena_print(invocation->arena, "%lld imported, %lld updated",
                                (long long)report->imported, (long long)report->updated));
}

static int finish_import(struct invocation *invocation, const struct report *report, bool complete)
{
    const char *path = invocation->arguments[1];
    bool dry_run = command_has_option(invocation, "dry-run");
    if (complete && !report->found_adif)
        return command_refuse("%s holds no ADIF", path);
    progress_line_clear();
    int status = command_has_option(invocation, "json") ? import_report_print_json(report, dry_run)
                                                        : import_report_print(report, dry_run);
    if (status != EXIT_DONE)
        return status;
    if (!complete)
        return command_refuse("the import did not come to its end; run it again, what is saved "
                              "already stays unchanged then");
    if (report->refused)
        return command_refuse("%lld record%s refused", (long long)report->refused,
                              report->refused == 1 ? " was" : "s were");
    return EXIT_DONE;
}

static int run_import(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct report report;
    struct text file;
    const char *path = invocation->arguments[1];
    if (!given_file_take(path, SIZE_MAX, &file))
        return EXIT_REFUSED;
    struct identity identity = {
        .member_id = member->id,
        .callsign = member->callsign,
        .is_disabled = !member->active,
        .is_station = member->is_station,
    };
    report_begin(&report, invocation->arena);
    struct import *import =
        import_create(invocation->store, &identity, command_has_option(invocation, "dry-run"),
                      &report, invocation->arena);
    import_name_file(import, text_of(strrchr(path, '/') ? strrchr(path, '/') + 1 : path));
    bool complete = import_take(import, file, progress_line_show) == STORE_DONE;
    int noted = EXIT_DONE;
    if (report.found_adif && !command_has_option(invocation, "dry-run"))
        noted = note_import(invocation, member, &report);
    int status = finish_import(invocation, &report, complete);
    return status == EXIT_DONE ? noted : status;
}

/* -- Export ------------------------------------------------------------------------------------ */

static int read_wish(struct invocation *invocation, struct export_wish *wish)
{
    const char *since = command_option(invocation, "since");
    const char *band = command_option(invocation, "band");
    const char *format = command_option(invocation, "format");
    *wish = (struct export_wish){.band = -1,
                                 .heard = command_has_option(invocation, "heard"),
                                 .strict = command_has_option(invocation, "strict"),
                                 .version = QSOSYNC_VERSION};
    if (since && !command_read_time(since, &wish->since_ms))
        return command_misuse("option --since takes a date as 2026-05-17, or a date and time as "
                              "2026-05-17T19:42:00Z");
    if (band && strcasecmp(band, "11m") == 0)
        wish->band = BAND_ELEVEN_METERS;
    else if (band && strcasecmp(band, "pmr446") == 0)
        wish->band = BAND_PMR446;
    else if (band)
        return command_misuse("option --band takes 11m or pmr446");
    if (format && strcasecmp(format, "csv") == 0)
        wish->format = EXPORT_CSV;
    else if (format && strcasecmp(format, "adif") != 0)
        return command_misuse("option --format takes adif or csv");
    return EXIT_DONE;
}

/* Where an export goes, and how far it is. */
struct output {
    struct invocation *invocation;
    struct export_wish wish;
    FILE *file;
    int64_t total; /* QSOs of the member; 0: no progress is shown */
    struct export_counts counts;
};

static bool write_piece(void *context, const char *bytes, size_t length)
{
    const struct output *output = context;
    const struct export_counts *counts = &output->counts;
    int64_t done = counts->exported + counts->heard + counts->no_callsign + counts->no_mode +
                   counts->no_frequency;
    progress_line_show("exporting", done < output->total ? done : output->total, output->total);
    return length == 0 || fwrite(bytes, 1, length, output->file) == length;
}

static void print_count(FILE *to, const char *name, int64_t count)
{
    if (count)
        fprintf(to, "%s %lld\n", name, (long long)count);
}

static void report_export(const struct export_counts *counts, FILE *to)
{
    progress_line_clear();
    fprintf(to, "exported %lld\n", (long long)counts->exported);
    print_count(to, "left out, only heard:", counts->heard);
    print_count(to, "left out, no callsign:", counts->no_callsign);
    print_count(to, "left out, no mode:", counts->no_mode);
    print_count(to, "left out, no frequency:", counts->no_frequency);
}

static int export_to(void *context, FILE *file)
{
    struct output *output = context;
    const struct member *member = &output->invocation->member;
    output->file = file;
    output->total = isatty(STDERR_FILENO) ? member->qso_count : 0;
    return command_finish(export_log(output->invocation->store, member, &output->wish, write_piece,
                                     output, &output->counts));
}

static int run_export(struct invocation *invocation)
{
    struct output output = {.invocation = invocation};
    const char *path = invocation->arguments[1];
    const bool to_file = path && strcmp(path, "-") != 0;
    int status = read_wish(invocation, &output.wish);
    if (status != EXIT_DONE)
        return status;
    status = to_file ? new_file_fill(path, export_to, &output) : export_to(&output, stdout);
    if (!to_file && (fflush(stdout) != 0 || ferror(stdout)))
        return command_refuse("cannot write the export: %s", strerror(errno));
    if (status != EXIT_DONE)
        return status;
    report_export(&output.counts, to_file ? stdout : stderr);
    return command_finish_output();
}

const struct command adif_commands[] = {
    {"import", "CALLSIGN FILE [--dry-run] [--json]",
     "add the QSOs of an ADIF file to a member's log", .of_member = true, .run = run_import},
    {"export",
     "CALLSIGN [FILE] [--since TIME] [--band 11m|pmr446] [--heard] [--strict] "
     "[--format adif|csv]",
     "write a member's log as ADIF or CSV", .opening = OPENS_TO_READ, .of_member = true,
     .run = run_export},
    {0},
};
