/* Collects the results of an import by reason. The reasons are a small set. Field names are from
 * the imported file, so REPORT_NAMES limits their number. The callers convert reasons to words for
 * people, and to JSON. */
#include "transfer/report.h"

#include <string.h>

#include "adif/rows.h"
#include "json/write.h"
#include "json/write_object.h"

#define NAME_BYTES 64

void report_begin(struct report *report, struct arena *arena)
{
    *report = (struct report){0};
    table_begin(&report->names, arena, sizeof(int64_t));
}

/* Copies a name for display, in upper case. Replaces all characters except printable ASCII, so that
 * control characters do not reach a terminal. */
static size_t make_printable(struct text text, char out[NAME_BYTES])
{
    size_t length = text.length < NAME_BYTES ? text.length : NAME_BYTES;
    if (length > 0)
        text_to_upper((struct text){text.bytes, length}, out);
    for (size_t i = 0; i < length; i++)
        if (out[i] < '!' || out[i] > '~')
            out[i] = '?';
    return length;
}

static struct report_reason *find_reason(struct report *report, enum mapped_notice notice,
                                         const char *text)
{
    struct report_reason **link = &report->reasons;
    for (; *link; link = &(*link)->next)
        if ((*link)->notice == notice && strcmp((*link)->text, text) == 0)
            return *link;
    *link = arena_allocate_zeroed(report->names.arena, sizeof **link);
    (*link)->notice = notice;
    (*link)->text = arena_copy(report->names.arena, text, strlen(text));
    return *link;
}

void report_add(struct report *report, enum mapped_notice notice, struct text field, int64_t line,
                int64_t record, const char *reason)
{
    char name[NAME_BYTES];
    struct text shown = {name, make_printable(field, name)};
    if (notice == NOTICE_NO_FIELD) {
        if (report->names.count >= REPORT_NAMES && !table_find(&report->names, shown))
            shown.length = 0;
        ++*(int64_t *)table_at(&report->names, shown);
        return;
    }
    report->rejected += notice == NOTICE_REFUSED;
    struct report_reason *found = find_reason(report, notice, reason);
    if (found->count++ >= REPORT_FIRST)
        return;
    shown.bytes = arena_copy(report->names.arena, name, shown.length);
    found->first[found->count - 1] = (struct report_case){line, record, shown};
}

int64_t report_cases_kept(const struct report_reason *reason)
{
    return reason->count < REPORT_FIRST ? reason->count : REPORT_FIRST;
}

static struct text keep_text(struct report *report, struct text text)
{
    if (!text.bytes)
        return text;
    return (struct text){arena_copy(report->names.arena, text.bytes, text.length), text.length};
}

void report_add_value(struct report *report, const struct report_value *value)
{
    const int64_t before = report->corrections + report->keeps;
    *(value->is_kept ? &report->keeps : &report->corrections) += 1;
    if (before >= REPORT_VALUES)
        return;
    struct report_value *kept = arena_allocate(report->names.arena, sizeof *kept);
    *kept = *value;
    kept->next = NULL;
    kept->before = keep_text(report, value->before);
    kept->after = keep_text(report, value->after);
    *(report->last_value ? &report->last_value->next : &report->values) = kept;
    report->last_value = kept;
}

int64_t report_values_left(const struct report *report)
{
    const int64_t all = report->corrections + report->keeps;
    return all > REPORT_VALUES ? all - REPORT_VALUES : 0;
}

const char *report_tell_value(const struct report_value *value, struct arena *arena)
{
    const struct text after = value->after.bytes ? value->after : text_of("empty");
    return arena_print(arena, value->is_kept ? "stays %.*s, not %.*s" : "was %.*s, is %.*s now",
                       (int)value->before.length, value->before.bytes, (int)after.length,
                       after.bytes);
}

void report_write_values(struct buffer *out, const struct report *report)
{
    json_begin_array(out, "values");
    for (const struct report_value *value = report->values; value; value = value->next)
        json_write_item(out, json_text("kind", text_of(value->is_kept ? "kept" : "corrected")),
                        json_integer("line", value->line), json_integer("record", value->record),
                        json_text("field", text_of(value->field)),
                        json_text("before", value->before), json_text("after", value->after));
    buffer_append(out, "]", 1);
    json_write_integer(out, "moreValues", report_values_left(report));
}

void report_write_counts(struct buffer *out, const struct report *report)
{
    const struct report_counts *counts = &report->counts;
    json_write_fields(
        out, json_integer("imported", counts->imported),
        json_integer("updated", counts->corrected + counts->completed),
        json_integer("corrected", counts->corrected), json_integer("completed", counts->completed),
        json_integer("unchanged", counts->unchanged), json_integer("repeated", counts->repeated),
        json_integer("rejected", report->rejected), json_integer("refused", report->rejected),
        json_integer("otherBands", report->other_bands), json_integer("newIds", counts->new_ids));
}

const char *report_notice_name(enum mapped_notice notice)
{
    static const char *const names[NOTICE_COUNT] = {[NOTICE_REFUSED] = "rejected",
                                                    [NOTICE_LEFT_OUT] = "left out",
                                                    [NOTICE_CHANGED] = "changed",
                                                    [NOTICE_NO_FIELD] = "no place"};
    return names[notice];
}
