/* Collects what happened to the records of an import, sorted by reason. Reasons are a small set;
 * names of fields come from the file, so their number is bounded here. Words for people, and the
 * JSON of reasons, are made by the callers. */
#include "transfer/report.h"

#include <string.h>

#include "json/write.h"

#define NAME_BYTES 64

void report_begin(struct report *report, struct arena *arena)
{
    *report = (struct report){0};
    table_begin(&report->names, arena, sizeof(int64_t));
}

/* For display: no control character of a file reaches a terminal. */
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
    report->refused += notice == NOTICE_REFUSED;
    struct report_reason *found = find_reason(report, notice, reason);
    if (found->count++ >= REPORT_FIRST)
        return;
    shown.bytes = arena_copy(report->names.arena, name, shown.length);
    found->first[found->count - 1] = (struct report_case){report->lines + line, record, shown};
}

int64_t report_cases_kept(const struct report_reason *reason)
{
    return reason->count < REPORT_FIRST ? reason->count : REPORT_FIRST;
}

void report_write_counts(struct buffer *out, const struct report *report)
{
    json_write_fields(
        out, json_integer("imported", report->imported), json_integer("updated", report->updated),
        json_integer("unchanged", report->unchanged), json_integer("refused", report->refused),
        json_integer("otherBands", report->other_bands), json_integer("newIds", report->new_ids));
}

const char *report_notice_name(enum mapped_notice notice)
{
    static const char *const names[NOTICE_COUNT] = {[NOTICE_REFUSED] = "refused",
                                                    [NOTICE_LEFT_OUT] = "left out",
                                                    [NOTICE_CHANGED] = "changed",
                                                    [NOTICE_NO_FIELD] = "no place"};
    return names[notice];
}
