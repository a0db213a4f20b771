/* Prints the report on an import, as text for people or as JSON for programs. src/transfer/report.c
 * limits the length of the report. Texts from the file are already printable. */
#include "admin/import_report.h"

#include <stdio.h>

#include "admin/command.h"
#include "admin/output.h"
#include "base/buffer.h"
#include "json/write.h"
#include "json/write_object.h"

/* Returns the word for the lines of the file. */
static const char *line_word(const struct report *report)
{
    return report->has_rows ? "row" : "line";
}

static void print_reason(const struct report *report, const struct report_reason *reason)
{
    const char *kind = report_notice_name(reason->notice);
    for (int64_t i = 0; i < report_cases_kept(reason); i++) {
        const struct report_case *first = &reason->first[i];
        output_write(stdout, "%s: %s %lld, record %lld: %s%s%s\n", kind, line_word(report),
                     (long long)first->line, (long long)first->record, first->field.bytes,
                     first->field.length > 0 ? " " : "", reason->text);
    }
    if (reason->count > REPORT_FIRST)
        output_write(stdout, "%s: %lld more: %s\n", kind, (long long)(reason->count - REPORT_FIRST),
                     reason->text);
}

static void print_values(const struct report *report, struct arena *arena)
{
    for (const struct report_value *value = report->values; value; value = value->next)
        output_write(stdout, "%s: %s %lld, record %lld: %s %s\n",
                     value->is_kept ? "kept" : "corrected", line_word(report),
                     (long long)value->line, (long long)value->record, value->field,
                     report_tell_value(value, arena));
    if (report_values_left(report) > 0)
        output_write(stdout, "corrected: %lld more\n", (long long)report_values_left(report));
}

void import_report_print(const struct report *report, bool dry_run, struct arena *arena)
{
    const struct report_counts *counts = &report->counts;
    output_write(stdout,
                 "imported %lld\nupdated %lld\nunchanged %lld\nrepeated %lld\nrejected %lld\n"
                 "other bands %lld\n",
                 (long long)counts->imported, (long long)(counts->corrected + counts->completed),
                 (long long)counts->unchanged, (long long)counts->repeated,
                 (long long)report->rejected, (long long)report->other_bands);
    if (counts->new_ids)
        output_write(stdout, "new ids %lld\n", (long long)counts->new_ids);
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        print_reason(report, reason);
    print_values(report, arena);
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        output_write(stdout, "not a QSO field: %s %lld\n",
                     name->key.length > 0 ? name->key.bytes : "other fields",
                     (long long)*(const int64_t *)name->value);
    if (dry_run)
        output_write(stdout, "nothing was saved\n");
}

void import_report_print_json(const struct report *report, bool dry_run)
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
    output_print(&out, true);
}
