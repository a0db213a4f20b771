/* The command export: writes a member's log as ADIF or as a table. src/transfer formats the QSOs.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/new_file.h"
#include "admin/output.h"
#include "admin/progress_line.h"
#include "admin/values.h"
#include "installation.h"
#include "store/people/members.h"
#include "transfer/export.h"

/* The destination of an export, and its progress. */
struct output {
    struct invocation *invocation;
    struct export_options options;
    FILE *file;
    int64_t total; /* QSOs in the log; 0: no progress is shown */
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
    output_write(to, "exported %lld\n", (long long)counts->exported);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (left_out[i].count)
            output_write(to, "left out, %s: %lld\n", left_out[i].reason,
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

/* Returns the format that the operator chose. */
static enum export_format read_format(const struct invocation *invocation)
{
    static const char *const names[] = {
        [EXPORT_ADIF] = "adif", [EXPORT_ADX] = "adx", [EXPORT_CSV] = "csv", [EXPORT_XLSX] = "xlsx"};
    const char *given = command_option(invocation, "format");
    if (!given)
        return EXPORT_ADIF;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(given, names[i]) == 0)
            return (enum export_format)i;
    command_misuse("option --format must be adif, adx, csv or xlsx");
}

void run_export(struct invocation *invocation)
{
    static const int bands[] = {-1, BAND_ELEVEN_METERS, BAND_PMR446};
    struct output output = {.invocation = invocation,
                            .options = {.since_ms = command_read_since(invocation),
                                        .heard = command_has_option(invocation, "heard"),
                                        .strict = command_has_option(invocation, "strict"),
                                        .version = QSOSYNC_VERSION}};
    output.options.band = bands[command_read_choice(invocation, "band", "11m", "pmr446")];
    output.options.format = read_format(invocation);
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
