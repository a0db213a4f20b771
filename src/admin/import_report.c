/* Puts the report of an import into words for a person, or into JSON for a program. Its length was
 * bounded when it was collected (src/transfer/report.c). Texts of the file are printable already;
 * nothing is decided here. */
#include "admin/import_report.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "json/write.h"

static const char *name_or(const struct report_name *name, const char *otherwise)
{
    return name->name.length > 0 ? name->name.bytes : otherwise;
}

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

void import_report_print(const struct report *report, bool dry_run)
{
    printf("imported %lld\nupdated %lld\nunchanged %lld\nrefused %lld\nother bands %lld\n",
           (long long)report->imported, (long long)report->updated, (long long)report->unchanged,
           (long long)report->refused, (long long)report->other_bands);
    if (report->new_ids)
        printf("new ids %lld\n", (long long)report->new_ids);
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        print_reason(reason);
    for (size_t i = 0; i < report->name_count; i++)
        printf("no place: %s %lld\n", name_or(&report->names[i], "other fields"),
               (long long)report->names[i].count);
    if (dry_run)
        printf("nothing was saved\n");
}

/* -- For programs ------------------------------------------------------------------------------ */

static void write_cases(struct buffer *out, const struct report *report)
{
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        for (int64_t i = 0; i < report_cases_kept(reason); i++) {
            json_write_line(out);
            buffer_append(out, "{", 1);
            json_write_text(out, "kind", text_of(report_notice_name(reason->notice)));
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
            json_write_line(out);
            buffer_append(out, "{", 1);
            json_write_text(out, "kind", text_of(report_notice_name(reason->notice)));
            json_write_text(out, "reason", text_of(reason->text));
            json_write_integer(out, "count", reason->count - REPORT_FIRST);
            buffer_append(out, "}", 1);
        }
}

static void write_counts(struct buffer *out, const struct report *report, bool dry_run)
{
    json_write_integer(out, "imported", report->imported);
    json_write_integer(out, "updated", report->updated);
    json_write_integer(out, "unchanged", report->unchanged);
    json_write_integer(out, "refused", report->refused);
    json_write_integer(out, "otherBands", report->other_bands);
    json_write_integer(out, "newIds", report->new_ids);
    json_write_flag(out, "dryRun", dry_run);
}

void import_report_print_json(const struct report *report, bool dry_run)
{
    struct buffer out = {0};
    buffer_append(&out, "{", 1);
    write_counts(&out, report, dry_run);
    json_write_name(&out, "details");
    buffer_append(&out, "[", 1);
    write_cases(&out, report);
    buffer_append(&out, "]", 1);
    json_write_name(&out, "more");
    buffer_append(&out, "[", 1);
    write_more(&out, report);
    buffer_append(&out, "]", 1);
    json_write_name(&out, "noPlace");
    buffer_append(&out, "{", 1);
    for (size_t i = 0; i < report->name_count; i++) {
        const char *name = name_or(&report->names[i], "");
        json_write_element(&out);
        json_append_string(&out, name, strlen(name));
        buffer_append(&out, ":", 1);
        buffer_append_integer(&out, report->names[i].count);
    }
    buffer_append_string(&out, "}}\n");
    fwrite(out.bytes, 1, out.length, stdout);
    buffer_free(&out);
}
