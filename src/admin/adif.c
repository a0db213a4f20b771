/* The commands import and export: logs in and out of the logbook as files. They open the files,
 * show progress, print the report, and choose the exit status. Reading and writing the formats is
 * left to src/transfer. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "adif/encoding.h"
#include "admin/command.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "installation.h"
#include "json/write.h"
#include "json/write_object.h"
#include "store/people/members.h"
#include "transfer/export.h"
#include "transfer/import.h"
#include "transfer/report.h"
#include "transfer/survey.h"
#include "transfer/survey_stations.h"
#include "transfer/unfold.h"

/* Puts the report of an import into words for a person, or into JSON for a program. Its length was
 * bounded when it was collected (src/transfer/report.c). Texts from the file are already printable;
 * this module only formats. */

/* -- For people -------------------------------------------------------------------------------- */

static void print_reason(const struct report_reason *reason)
{
    const char *kind = report_notice_name(reason->notice);
    for (int64_t i = 0; i < report_cases_kept(reason); i++) {
        const struct report_case *first = &reason->first[i];
        command_write(stdout, "%s: line %lld, record %lld: %s%s%s\n", kind, (long long)first->line,
                      (long long)first->record, first->field.bytes,
                      first->field.length > 0 ? " " : "", reason->text);
    }
    if (reason->count > REPORT_FIRST)
        command_write(stdout, "%s: %lld more: %s\n", kind,
                      (long long)(reason->count - REPORT_FIRST), reason->text);
}

static void print_values(const struct report *report, struct arena *arena)
{
    for (const struct report_value *value = report->values; value; value = value->next)
        command_write(stdout, "%s: line %lld, record %lld: %s %s\n",
                      value->is_kept ? "kept" : "corrected", (long long)value->line,
                      (long long)value->record, value->field, report_tell_value(value, arena));
    if (report_values_left(report) > 0)
        command_write(stdout, "corrected: %lld more\n", (long long)report_values_left(report));
}

/* Prints it to standard output: the counts, each on a line, then the details. */
static void print_report(const struct report *report, bool dry_run, struct arena *arena)
{
    const struct report_counts *counts = &report->counts;
    command_write(stdout,
                  "imported %lld\nupdated %lld\nunchanged %lld\nrepeated %lld\nrejected %lld\n"
                  "other bands %lld\n",
                  (long long)counts->imported, (long long)(counts->corrected + counts->completed),
                  (long long)counts->unchanged, (long long)counts->repeated,
                  (long long)report->rejected, (long long)report->other_bands);
    if (counts->new_ids)
        command_write(stdout, "new ids %lld\n", (long long)counts->new_ids);
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        print_reason(reason);
    print_values(report, arena);
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        command_write(stdout, "not a QSO field: %s %lld\n",
                      name->key.length > 0 ? name->key.bytes : "other fields",
                      (long long)*(const int64_t *)name->value);
    if (dry_run)
        command_write(stdout, "nothing was saved\n");
}

/* -- For programs ------------------------------------------------------------------------------ */

/* The same as one JSON object. */
static void print_report_as_json(const struct report *report, bool dry_run)
{
    struct buffer out = {0};
    const struct report_reason *reason;
    buffer_append(&out, "{", 1);
    report_write_counts(&out, report);
    json_write_flag(&out, "dryRun", dry_run);
    json_begin_array(&out, "details");
    for (reason = report->reasons; reason; reason = reason->next)
        for (int64_t i = 0; i < report_cases_kept(reason); i++) {
            const struct report_case *found = &reason->first[i];
            json_write_line(&out);
            json_write_item(&out, json_text("kind", text_of(report_notice_name(reason->notice))),
                            json_integer("line", found->line),
                            json_integer("record", found->record),
                            json_text("field", text_of(found->field.bytes)),
                            json_text("reason", text_of(reason->text)));
        }
    buffer_append(&out, "]", 1);
    report_write_values(&out, report);
    json_begin_array(&out, "more");
    for (reason = report->reasons; reason; reason = reason->next)
        if (reason->count > REPORT_FIRST) {
            json_write_line(&out);
            json_write_item(&out, json_text("kind", text_of(report_notice_name(reason->notice))),
                            json_text("reason", text_of(reason->text)),
                            json_integer("count", reason->count - REPORT_FIRST));
        }
    buffer_append(&out, "]", 1);
    json_begin_object(&out, "noPlace");
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        json_write_integer(&out, name->key.bytes, *(const int64_t *)name->value);
    buffer_append_string(&out, "}}\n");
    command_print(&out, true);
}

/* The place of the option's value among the words, with the letters in any case; 0: it is not
 * given. */
static int read_word(const struct invocation *invocation, const char *name, const char *one,
                     const char *other)
{
    const char *given = command_option(invocation, name);
    if (given && strcasecmp(given, one) != 0 && strcasecmp(given, other) != 0)
        command_misuse("option --%s must be %s or %s", name, one, other);
    return !given ? 0 : strcasecmp(given, one) == 0 ? 1 : 2;
}

/* -- Import ------------------------------------------------------------------------------------ */

static struct encoding *open_encoding(const char *name, struct arena *arena)
{
    struct encoding *encoding = encoding_open(name, arena);
    if (!encoding)
        command_refuse("the encoding %s is not supported; \"iconv -l\" lists the encodings of this "
                       "machine",
                       name);
    return encoding;
}

/* Prints one line: the encodings that fit, with the first value in each of them. */
static void refuse_encoding(const char *path, const struct survey *survey)
{
    struct buffer list = {0};
    for (size_t i = 0; i < ENCODING_CANDIDATES; i++)
        if (survey->readings[i])
            buffer_print(&list, "%s %s (\"%s\")", list.length > 0 ? "," : "",
                         encoding_candidates[i], survey->readings[i]);
    buffer_append(&list, "", 1);
    if (list.length > 1)
        command_refuse(
            "%s is not in UTF-8 and does not name its encoding; specify it with --encoding:%s",
            path, list.bytes);
    command_refuse("%s is not in UTF-8 and does not name its encoding; specify it with --encoding",
                   path);
}

/* In which encoding the file is: as the operator says, or else the file itself. */
static struct encoding *find_encoding(struct invocation *invocation, struct text file,
                                      const char *path)
{
    const char *given = command_option(invocation, "encoding");
    struct survey survey;
    if (given)
        return open_encoding(given, invocation->arena);
    survey_file(file, invocation->member.callsign, invocation->arena, &survey);
    if (survey.is_odd && !survey.encoding)
        refuse_encoding(path, &survey);
    return survey.encoding;
}

static void refuse_stations(const char *path, struct text member, const struct stations *stations)
{
    struct buffer list = {0};
    for (const struct table_entry *one = stations->found.first; one; one = one->next)
        buffer_print(&list, "%s%s (%lld)", list.length > 0 ? ", " : "",
                     one->key.length > 0 ? one->key.bytes : "others",
                     (long long)*(const int64_t *)one->value);
    buffer_append(&list, "", 1);
    command_refuse("%s has QSOs of stations other than %.*s: %s; add --station-callsign keep if "
                   "they are right, or --station-callsign mine to replace them",
                   path, (int)member.length, member.bytes, list.bytes);
}

/* How to treat station callsigns other than the log's own: the operator must choose. */
static void choose_stations(struct invocation *invocation, struct import *import, struct text file,
                            const char *path)
{
    enum { ASK, KEEP, MINE };
    const struct member *member = &invocation->member;
    const int choice = read_word(invocation, "station-callsign", "keep", "mine");
    if (choice == KEEP)
        return;
    struct stations *stations = arena_allocate(invocation->arena, sizeof *stations);
    command_require_done(
        stations_read(invocation->store, member->id, clock_wall_ms(), invocation->arena, stations));
    if (choice == ASK)
        survey_stations(file, member->callsign, stations);
    if (stations->found.first)
        refuse_stations(path, member->callsign, stations);
    stations->callsign = member->callsign;
    import_set_stations(import, stations);
}

/* The file, in which the bytes of ASCII are themselves. */
static struct text take_file(struct invocation *invocation, const char *path)
{
    bool fails;
    const struct text file =
        survey_unfold(file_argument_read(path, SIZE_MAX), command_option(invocation, "encoding"),
                      invocation->arena, &fails);
    if (fails)
        command_refuse("%s is damaged, or this machine does not support UTF-16", path);
    return file;
}

void run_import(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const struct identity identity = {
        .member_id = member->id,
        .callsign = member->callsign,
        .is_disabled = !member->active,
        .is_station = member->is_station,
    };
    struct report report;
    const char *path = invocation->arguments[1];
    const bool dry_run = command_has_option(invocation, "dry-run");
    const struct text file = take_file(invocation, path);
    struct encoding *encoding = find_encoding(invocation, file, path);
    report_begin(&report, invocation->arena);
    struct import *import =
        import_create(invocation->store, &identity, dry_run, &report, invocation->arena);
    import_set_encoding(import, encoding);
    choose_stations(invocation, import, file, path);
    import_name_file(import, text_of(strrchr(path, '/') ? strrchr(path, '/') + 1 : path));
    const bool complete = import_take(import, file, progress_line_show) == STORE_DONE;
    if (complete && !report.found_adif)
        command_refuse("%s contains no ADIF", path);
    if (report.found_adif && !dry_run)
        note_act(invocation, "import", member->callsign, path,
                 arena_print(invocation->arena, "%lld imported, %lld updated",
                             (long long)report.counts.imported,
                             (long long)(report.counts.corrected + report.counts.completed)));
    progress_line_clear();
    if (command_has_option(invocation, "json"))
        print_report_as_json(&report, dry_run);
    else
        print_report(&report, dry_run, invocation->arena);
    if (!complete)
        command_refuse(
            "the import did not finish; run it again: QSOs that are already saved stay unchanged");
    if (report.rejected)
        command_refuse("%lld record%s rejected", (long long)report.rejected,
                       report.rejected == 1 ? " was" : "s were");
}

/* -- Export ------------------------------------------------------------------------------------ */

/* Where an export goes, and how far it is. */
struct output {
    struct invocation *invocation;
    struct export_options options;
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

static void report_export(const struct export_counts *counts, FILE *to)
{
    const struct {
        const char *reason;
        int64_t count;
    } left_out[] = {{"only heard", counts->heard},
                    {"no callsign", counts->no_callsign},
                    {"no mode", counts->no_mode},
                    {"no frequency", counts->no_frequency}};
    progress_line_clear();
    command_write(to, "exported %lld\n", (long long)counts->exported);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (left_out[i].count)
            command_write(to, "left out, %s: %lld\n", left_out[i].reason,
                          (long long)left_out[i].count);
}

static bool export_to(void *context, FILE *file)
{
    struct output *output = context;
    const struct member *member = &output->invocation->member;
    output->file = file;
    output->total = isatty(STDERR_FILENO) ? member->qso_count : 0;
    return export_log(output->invocation->store, member, &output->options, write_piece, output,
                      &output->counts) == STORE_DONE;
}

void run_export(struct invocation *invocation)
{
    static const int bands[] = {-1, BAND_ELEVEN_METERS, BAND_PMR446};
    struct output output = {.invocation = invocation,
                            .options = {.since_ms = command_read_since(invocation),
                                        .heard = command_has_option(invocation, "heard"),
                                        .strict = command_has_option(invocation, "strict"),
                                        .version = QSOSYNC_VERSION}};
    output.options.band = bands[read_word(invocation, "band", "11m", "pmr446")];
    if (read_word(invocation, "format", "adif", "csv") == 2)
        output.options.format = EXPORT_CSV;
    const char *path = invocation->arguments[1];
    const bool to_file = path && strcmp(path, "-") != 0;
    const bool done =
        to_file ? new_file_fill(path, export_to, &output) : export_to(&output, stdout);
    if (!to_file && (fflush(stdout) != 0 || ferror(stdout)))
        command_refuse("cannot write the export: %s", strerror(errno));
    if (!done)
        exit(EXIT_REFUSED);
    report_export(&output.counts, to_file ? stdout : stderr);
}
