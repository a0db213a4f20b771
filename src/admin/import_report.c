/* Puts a report into words. Its length was bounded when it was collected. */
#include "admin/import_report.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

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

static void append_text(struct buffer *out, const char *name, const char *text)
{
    buffer_print(out, "\"%s\": ", name);
    buffer_append_json_string(out, text, strlen(text));
}

static void append_cases(struct buffer *out, const struct report *report)
{
    const char *separator = "";
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        for (int64_t i = 0; i < report_cases_kept(reason); i++) {
            buffer_print(out, "%s\n  {", separator);
            append_text(out, "kind", report_notice_name(reason->notice));
            buffer_print(out, ", \"line\": %lld, \"record\": %lld, ",
                         (long long)reason->first[i].line, (long long)reason->first[i].record);
            append_text(out, "field", reason->first[i].field.bytes);
            buffer_append_string(out, ", ");
            append_text(out, "reason", reason->text);
            buffer_append_string(out, "}");
            separator = ",";
        }
}

static void append_more(struct buffer *out, const struct report *report)
{
    const char *separator = "";
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        if (reason->count > REPORT_FIRST) {
            buffer_print(out, "%s\n  {", separator);
            append_text(out, "kind", report_notice_name(reason->notice));
            buffer_append_string(out, ", ");
            append_text(out, "reason", reason->text);
            buffer_print(out, ", \"count\": %lld}", (long long)(reason->count - REPORT_FIRST));
            separator = ",";
        }
}

void import_report_print_json(const struct report *report, bool dry_run)
{
    struct buffer out = {0};
    buffer_print(&out,
                 "{\"imported\": %lld, \"updated\": %lld, \"unchanged\": %lld, \"refused\": %lld, "
                 "\"otherBands\": %lld, \"newIds\": %lld, \"dryRun\": %s,\n \"details\": [",
                 (long long)report->imported, (long long)report->updated,
                 (long long)report->unchanged, (long long)report->refused,
                 (long long)report->other_bands, (long long)report->new_ids,
                 dry_run ? "true" : "false");
    append_cases(&out, report);
    buffer_append_string(&out, "],\n \"more\": [");
    append_more(&out, report);
    buffer_append_string(&out, "],\n \"noPlace\": {");
    for (size_t i = 0; i < report->name_count; i++) {
        const char *name = name_or(&report->names[i], "");
        buffer_append_string(&out, i ? ", " : "");
        buffer_append_json_string(&out, name, strlen(name));
        buffer_print(&out, ": %lld", (long long)report->names[i].count);
    }
    buffer_append_string(&out, "}}\n");
    fwrite(out.bytes, 1, out.length, stdout);
    buffer_free(&out);
}
