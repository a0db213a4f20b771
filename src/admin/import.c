/* The command import: adds the QSOs in an ADIF file, in wsjtx.log or in a sheet to a member's log.
 * The command shows progress, prints the report, and chooses the exit status. src/transfer reads
 * the file, and import_sheet.c asks about a sheet. */
#include <string.h>

#include "adif/encoding.h"
#include "admin/activity.h"
#include "admin/command.h"
#include "admin/file_argument.h"
#include "admin/import_report.h"
#include "admin/import_sheet.h"
#include "admin/output.h"
#include "admin/progress_line.h"
#include "admin/values.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "store/people/members.h"
#include "transfer/import.h"
#include "transfer/report.h"
#include "transfer/survey.h"
#include "transfer/survey_stations.h"
#include "transfer/unfold.h"

static struct encoding *open_encoding(const char *name, struct arena *arena)
{
    struct encoding *encoding = encoding_open(name, arena);
    if (!encoding)
        command_refuse("the encoding %s is not supported; \"iconv -l\" lists the supported "
                       "encodings",
                       name);
    return encoding;
}

/* Ends the program with a message that lists the possible encodings. Each encoding is followed by
 * the first value that is not UTF-8, as read in that encoding. */
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

/* Returns the encoding that the operator specified, or else the encoding that the file names. */
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
    command_refuse(
        "%s has QSOs from stations other than %.*s, namely %s; keep these callsigns with "
        "--station-callsign keep, or replace them with --station-callsign mine",
        path, (int)member.length, member.bytes, list.bytes);
}

/* Sets the treatment of station callsigns other than the log's own. Ends the program if the file
 * has such callsigns and the operator has not chosen a treatment. */
static void choose_stations(struct invocation *invocation, struct import *import, struct text file,
                            const char *path)
{
    enum { ASK, KEEP, MINE };
    const struct member *member = &invocation->member;
    const int choice = command_read_choice(invocation, "station-callsign", "keep", "mine");
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

/* Ends the program if the file is a workbook: a ZIP file, or an old Excel file. Only the page reads
 * workbooks. */
static void refuse_workbook(const char *path, struct text file)
{
    if (file.length >= 8 &&
        (memcmp(file.bytes, "PK\3\4", 4) == 0 || memcmp(file.bytes, "\xD0\xCF\x11\xE0", 4) == 0))
        command_refuse(
            "%s is a workbook, such as XLSX or ODS; import it on the page Import, or save "
            "its sheet as CSV and import that file",
            path);
}

/* Returns the file's content. If the encoding does not extend ASCII, as with UTF-16, the content is
 * converted to UTF-8. */
static struct text take_file(struct invocation *invocation, const char *path)
{
    bool fails;
    const struct text file =
        survey_unfold(file_argument_read(path, SIZE_MAX), command_option(invocation, "encoding"),
                      invocation->arena, &fails);
    if (fails)
        command_refuse("%s is damaged, or this machine does not support UTF-16", path);
    refuse_workbook(path, file);
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
    struct import_sheet sheet = {0};
    const char *path = invocation->arguments[1];
    struct text file = take_file(invocation, path);
    const bool is_sheet = import_sheet_is(file);
    /* The recognition of a sheet is shown before anything is saved. */
    const bool dry_run = command_has_option(invocation, "dry-run") ||
                         (is_sheet && !command_has_option(invocation, "yes"));
    if (is_sheet)
        import_sheet_read(invocation, path, file, &sheet);
    else
        import_sheet_refuse_options(invocation, path);
    struct encoding *encoding = is_sheet ? NULL : find_encoding(invocation, file, path);
    file = is_sheet ? sheet.adi : file;
    report_begin(&report, invocation->arena);
    report.has_rows = is_sheet;
    struct import *import =
        import_create(invocation->store, &identity, dry_run, &report, invocation->arena);
    import_set_encoding(import, encoding);
    import_set_rows(import, sheet.rows, sheet.row_count);
    choose_stations(invocation, import, file, path);
    import_name_file(import, text_of(strrchr(path, '/') ? strrchr(path, '/') + 1 : path));
    const bool complete = import_take(import, file, progress_line_show) == STORE_DONE;
    if (encoding)
        encoding_close(encoding);
    if (complete && !report.found_adif)
        command_refuse("%s contains no %s", path, is_sheet ? "QSOs" : "ADIF");
    if (report.found_adif && !dry_run)
        activity_note(invocation, "import", member->callsign, path,
                      arena_print(invocation->arena, "%lld imported, %lld updated",
                                  (long long)report.counts.imported,
                                  (long long)(report.counts.corrected + report.counts.completed)));
    progress_line_clear();
    if (command_has_option(invocation, "json"))
        import_report_print_json(&report, dry_run);
    else
        import_report_print(&report, dry_run, invocation->arena);
    if (dry_run && !command_has_option(invocation, "dry-run"))
        output_report("to import the records, repeat the command with --yes");
    if (!complete)
        command_refuse("the import did not finish; run it again (saved QSOs stay unchanged)");
    if (report.rejected)
        command_refuse("%lld record%s rejected", (long long)report.rejected,
                       report.rejected == 1 ? " was" : "s were");
}
