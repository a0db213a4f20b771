/* Collects records for a transaction, and maps all of them before the writer lock is acquired. A
 * record's QSO can depend on all records in the file. A record that needs other records is
 * deferred, and read again at the end. */
#include "transfer/import.h"

#include <stdlib.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/mapping.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/fields.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "transfer/import_save.h"
#include "transfer/matching.h"

#define WAITING_BYTES_MAX 1048576 /* size in bytes above which the waiting records are saved */

struct import *import_create(struct store *store, const struct identity *member, bool dry_run,
                             struct report *report, struct arena *arena)
{
    struct import *import = arena_allocate(arena, sizeof *import);
    *import = (struct import){
        .store = store, .member = member, .report = report, .run = arena, .is_dry_run = dry_run};
    import->entries = arena_allocate(arena, IMPORT_TRANSACTION_MAX * sizeof *import->entries);
    return import;
}

void import_set_encoding(struct import *import, struct encoding *encoding)
{
    import->encoding = encoding;
}

void import_set_rows(struct import *import, const int64_t *rows, int64_t count)
{
    import->rows = rows;
    import->row_count = count;
}

void import_set_stations(struct import *import, struct stations *stations)
{
    import->stations = stations;
}

/* Stores the beginning of the file's name, with as many characters as the history accepts. A name
 * that is not UTF-8 or contains control characters counts as unknown. */
void import_name_file(struct import *import, struct text name)
{
    struct text rest = name;
    import->is_file = true;
    if (!text_is_utf8(name.bytes, name.length) || text_has_control(name))
        return;
    for (int i = 0; i < HISTORY_SUBJECT_MAX && rest.length > 0; i++)
        rest = text_skip(rest, text_first_length(rest));
    if (name.length > 0)
        import->file_name = (struct text){name.bytes, name.length - rest.length};
}

void import_set_program(struct import *import, struct text program)
{
    import->program = program;
}

struct text import_program(const struct import *import)
{
    return import->program;
}

void import_tell_keys(struct import *import, struct buffer *keys)
{
    import->keys = keys;
}

void import_tell_outcomes(struct import *import, struct buffer *outcomes)
{
    import->outcomes = outcomes;
}

/* The data for reporting the mapping's notices. */
struct notices {
    struct report *report;
    const struct record *record;
};

static void add_notice(void *context, enum mapped_notice notice, struct text field, int64_t line,
                       const char *reason)
{
    const struct notices *notices = context;
    const struct record *record = notices->record;
    report_add(notices->report, notice, field, line ? line : record->line, record->number, reason);
}

/* Reports notices about the encoding, which are relevant only if the record becomes a QSO. */
static void report_encoding(struct notices *notices)
{
    const struct record *record = notices->record;
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        if (field->notice)
            add_notice(notices, field->value.length > 0 ? NOTICE_CHANGED : NOTICE_LEFT_OUT,
                       field->name, field->line, field->notice);
    }
}

/* Gives the record and its fields the number of the row from which the record is made. */
static void set_row(const struct import *import, struct record *record)
{
    if (record->number > import->row_count)
        return;
    record->line = import->rows[record->number - 1];
    for (size_t i = 0; i < record->count; i++)
        record->fields[i].line = record->line;
}

static struct import_entry *add_entry(struct import *import, struct record *record, bool is_told)
{
    struct notices notices = {import->report, record};
    struct mapped_source source = {
        .member = import->member->callsign,
        .report = is_told ? add_notice : NULL,
        .context = &notices,
        .is_station = import->member->is_station,
    };
    if (import->rows)
        set_row(import, record);
    struct import_entry *entry = &import->entries[import->count];
    *entry = (struct import_entry){
        .line = record->line, .number = record->number, .record.number = record->number};
    encoding_read_record(import->encoding, record, &import->arena);
    const enum mapping_outcome outcome =
        mapping_read(record, &source, &import->arena, &entry->record.mapped);
    import->report->other_bands += outcome == MAPPING_OTHER_BAND;
    import_note_outcome(import, record->number, outcome == MAPPING_OTHER_BAND ? 'o' : 'x');
    for (size_t i = 0; i < record->count; i++)
        import->bytes += record->fields[i].value.length;
    if (outcome != MAPPING_QSO)
        return NULL;
    if (is_told)
        report_encoding(&notices);
    if (import->stations)
        stations_take(import->stations, &entry->record.mapped);
    const struct mapped *mapped = &entry->record.mapped;
    entry->had_id =
        mapped->client_id_invalid || mapped->qso.values[FIELD_CLIENT_ID].state == VALUE_PRESENT;
    import->count++;
    return entry;
}

static bool is_full(const struct import *import)
{
    return import->count == IMPORT_TRANSACTION_MAX || import->bytes > WAITING_BYTES_MAX;
}

static void take_header(struct import *import, const struct record *header, size_t end)
{
    import->header = (struct text){import->file.bytes, end};
    for (size_t i = 0; i < header->count; i++)
        if (text_equals_ignoring_case(header->fields[i].name, "PROGRAMID") && !import->matching)
            import->program = header->fields[i].value;
}

static int compare_deferred(const void *one, const void *other)
{
    const struct import_deferred *a = one, *b = other;
    int order = (a->station > b->station) - (a->station < b->station);
    order = order ? order : (a->start_ms > b->start_ms) - (a->start_ms < b->start_ms);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Reads a deferred record once more, together with the header, which can define how the file is
 * read. */
static void read_again(struct import *import, const struct import_deferred *deferred)
{
    const size_t length = deferred->end - deferred->begin;
    char *bytes = arena_allocate(&import->arena, import->header.length + length);
    struct record record;
    struct reader_fault fault;
    if (import->header.length > 0)
        memcpy(bytes, import->header.bytes, import->header.length);
    memcpy(bytes + import->header.length, import->file.bytes + deferred->begin, length);
    struct reader *reader =
        reader_create((struct text){bytes, import->header.length + length}, &import->arena);
    enum reader_event event;
    while ((event = reader_next(reader, &record, &fault)) == READER_HEADER)
        continue;
    if (event != READER_RECORD)
        return;
    record.number = deferred->number;
    record.line = deferred->line;
    add_entry(import, &record, false);
}

/* Returns whether the sorted list of deferred records can be divided before the index `at`: no
 * record before `at` can be the same QSO as a record at or after `at`. This is true if the two
 * records at the boundary have different stations, or are far apart in time. */
static bool may_part(const struct import *import, size_t at)
{
    const struct import_deferred *before = &import->deferred[at - 1],
                                 *after = &import->deferred[at];
    return before->station != after->station ||
           after->start_ms - before->start_ms > 2 * (CONTACT_LENGTH_MAX_MS + CONTACT_WINDOW_MS);
}

/* Returns the end of the records, beginning at `begin`, that fit into one transaction. If possible,
 * records that can be the same QSO stay together. */
static size_t find_part_end(const struct import *import, size_t begin)
{
    size_t end = begin, part = begin, bytes = 0;
    while (end < import->deferred_count && end - begin < IMPORT_TRANSACTION_MAX &&
           bytes <= WAITING_BYTES_MAX) {
        bytes += import->deferred[end].end - import->deferred[end].begin;
        end++;
        if (end == import->deferred_count || may_part(import, end))
            part = end;
    }
    return part > begin ? part : end;
}

static enum store_result save_deferred(struct import *import)
{
    enum store_result result = STORE_DONE;
    if (import->deferred_count > 0)
        qsort(import->deferred, import->deferred_count, sizeof *import->deferred, compare_deferred);
    for (size_t at = 0; at < import->deferred_count && result == STORE_DONE;) {
        const size_t end = find_part_end(import, at);
        for (; at < end; at++)
            read_again(import, &import->deferred[at]);
        result = import_save_waiting(import, true);
        store_checkpoint(import->store);
        if (import->tell)
            import->tell("importing", (int64_t)end, (int64_t)import->deferred_count);
    }
    return result;
}

enum store_result import_take(struct import *import, struct text file,
                              void (*tell)(const char *phase, int64_t done, int64_t total))
{
    struct record record;
    struct reader_fault fault;
    struct reader *reader = reader_create(file, import->run); /* the report keeps texts */
    enum store_result result = STORE_DONE;
    size_t begin = 0;
    import->file = reader_text(reader);
    import->tell = tell;
    for (enum reader_event event;
         result == STORE_DONE && (event = reader_next(reader, &record, &fault)) != READER_END;
         begin = reader_position(reader)) {
        struct import_entry *entry = NULL;
        import->report->found_adif = true;
        if (event == READER_WRONG)
            report_add(import->report, NOTICE_REFUSED, fault.field, fault.line, fault.number,
                       fault.reason);
        else if (event == READER_RECORD)
            entry = add_entry(import, &record, true);
        else
            take_header(import, &record, reader_position(reader));
        if (entry) {
            entry->begin = begin;
            entry->end = reader_position(reader);
        }
        if (!is_full(import))
            continue;
        result = import_save_waiting(import, false);
        /* Makes a checkpoint only after a full transaction, because an operator would otherwise
         * wait for a checkpoint even after a short file. */
        store_checkpoint(import->store);
        if (tell)
            tell("importing", (int64_t)reader_position(reader), (int64_t)import->file.length);
    }
    THEN(result, import_save_waiting(import, import->settled == 0));
    THEN(result, save_deferred(import));
    arena_free(&import->arena);
    return result;
}
