/* Collects records until there are enough for a transaction, and maps all of them before it takes
 * the writer lock. The QSO of a record depends on all records of the file: a record that needs the
 * others is deferred, and read again at the end. matching.c finds the QSO of a record; joining.c
 * saves it. */
#include "transfer/import.h"

#include <stdlib.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/mapping.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/text_hash.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/fields.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "transfer/joining.h"
#include "transfer/matching.h"

#define WAITING_BYTES_MAX 1048576 /* records that wait; above this they are saved at once */

/* A record that waits to be saved. */
struct entry {
    int64_t line, number;
    size_t begin, end; /* its bytes of the file */
    bool had_id;       /* a clientId, or an invalid one */
    struct matching_record record;
};

/* A record that is read once more. Records of one contact are neighbours in this order. */
struct deferred {
    uint64_t station; /* a hash of the fields that name the station worked */
    int64_t start_ms;
    int64_t line, number;
    size_t begin, end;
};

struct import {
    struct store *store;
    struct transaction transaction;
    const struct identity *member;
    struct report *report;
    struct matching *matching; /* NULL: nothing was read yet */
    struct arena *run;         /* arena for the whole import */
    struct text program;       /* program that wrote the file; no text: unknown */
    bool is_dry_run;
    struct encoding *encoding; /* encoding of values that are not UTF-8; NULL: unknown */
    struct stations *stations; /* NULL: all station callsigns are kept */
    bool is_file;
    struct text file_name; /* no text: not known */
    struct text file, header;
    struct buffer *keys; /* NULL: not requested */
    struct entry *entries;
    size_t count, bytes, settled;
    struct deferred *deferred;
    size_t deferred_count, deferred_capacity;
    struct arena arena; /* arena for the records that wait */
    /* The transaction's work so far; it counts once it is on the disk. */
    bool writes;
    struct report_counts tally;
    struct report_value *values, **last_value;
    void (*tell)(const char *phase, int64_t done, int64_t total);
};

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

void import_set_stations(struct import *import, struct stations *stations)
{
    import->stations = stations;
}

/* As much of it as the history takes. */
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

/* -- Saving ------------------------------------------------------------------------------------ */

static void reject(struct import *import, const struct entry *entry, const char *reason)
{
    report_add(import->report, NOTICE_REFUSED, (struct text){0}, entry->line, entry->number,
               reason);
}

/* Context for collecting the values of a record. */
struct noting {
    struct import *import;
    const struct entry *entry;
};

static void note_value(void *context, enum joined_value kind, const struct field *field,
                       struct text before, struct text after)
{
    const struct noting *noting = context;
    struct import *import = noting->import;
    struct report_value *value = arena_allocate(&import->arena, sizeof *value);
    *value = (struct report_value){.line = noting->entry->line,
                                   .record = noting->entry->number,
                                   .is_kept = kind == JOINED_KEPT,
                                   .field = field->name,
                                   .before = before,
                                   .after = after};
    *import->last_value = value;
    import->last_value = &value->next;
}

static void count(struct import *import, const struct matching_record *record,
                  const struct joined *joined)
{
    struct report_counts *tally = &import->tally;
    int64_t *number = &tally->unchanged;
    if (record->state == MATCHING_REPEATED || record->came_before)
        number = &tally->repeated;
    else if (joined->is_new)
        number = &tally->imported;
    else if (joined->is_changed)
        number = joined->is_corrected ? &tally->corrected : &tally->completed;
    ++*number;
}

static enum store_result save_entry(struct import *import, struct entry *entry)
{
    struct matching_record *record = &entry->record;
    struct noting noting = {import, entry};
    struct joined joined = {0};
    enum store_result result = STORE_DONE;
    if (record->state == MATCHING_DEFERRED)
        return STORE_DONE;
    if (record->state == MATCHING_NEW || record->state == MATCHING_STORED)
        result =
            joining_save(&import->transaction, import->matching, import->member, record,
                         record->came_before ? NULL : note_value, &noting, &import->arena, &joined);
    if (result == STORE_REFUSED || result == STORE_CONFLICT) {
        reject(import, entry, rejection_internal.code);
        return STORE_DONE;
    }
    import->tally.new_ids += entry->had_id && !record->is_own && record->state != MATCHING_REPEATED;
    import->writes = import->writes || joined.writes;
    if (joined.has_no_room)
        report_add(import->report, NOTICE_LEFT_OUT, (struct text){0}, entry->line, entry->number,
                   "no room for its extra fields: the member's storage is full");
    if (joined.is_forgotten)
        report_add(import->report, NOTICE_LEFT_OUT, (struct text){0}, entry->line, entry->number,
                   "no room to record it: the member's storage is full");
    count(import, record, &joined);
    return result;
}

static enum store_result begin(struct import *import)
{
    enum store_result result = store_begin_write(import->store, &import->transaction);
    if (result == STORE_DONE && import->is_file)
        store_describe_work(&import->transaction, WORK_IMPORT, import->file_name);
    import->writes = false;
    import->tally = (struct report_counts){0};
    import->values = NULL;
    import->last_value = &import->values;
    return result;
}

/* Records that change nothing need no transaction; a dry run is a transaction that is rolled back.
 */
static enum store_result end(struct import *import, enum store_result result)
{
    if (result == STORE_DONE && import->writes && !import->is_dry_run)
        return store_commit(&import->transaction);
    store_rollback(&import->transaction);
    return result;
}

static void add_to_report(struct import *import)
{
    struct report_counts *counts = &import->report->counts;
    counts->imported += import->tally.imported;
    counts->corrected += import->tally.corrected;
    counts->completed += import->tally.completed;
    counts->unchanged += import->tally.unchanged;
    counts->repeated += import->tally.repeated;
    counts->new_ids += import->tally.new_ids;
    for (const struct report_value *value = import->values; value; value = value->next)
        report_add_value(import->report, value);
}

/* Reads records whose QSO is still undecided once more, at the end. */
static void defer(struct import *import, const struct entry *entry)
{
    const struct contact *contact = &entry->record.contact;
    uint64_t station = text_hash(TEXT_HASH_START, contact->worked.bytes, contact->worked.length);
    import->deferred = arena_grow(import->run, import->deferred, import->deferred_count,
                                  &import->deferred_capacity, sizeof *import->deferred);
    import->deferred[import->deferred_count++] = (struct deferred){
        station, contact->start_ms, entry->line, entry->number, entry->begin, entry->end};
}

static void append_key(void *context, const struct matching_record *record, char kind, uint64_t key)
{
    struct buffer *keys = context;
    buffer_print(keys, "%s[%lld,\"%c%llx\"]", keys->length > 0 ? "," : "",
                 (long long)record->number, kind, (unsigned long long)key);
}

static struct matching *matching_of(struct import *import)
{
    if (import->matching)
        return import->matching;
    const struct matching_source source =
        import->is_file ? matching_source_of_file(import->program, import->run)
                        : matching_source_of_writer(import->member, import->run);
    import->matching =
        matching_create(import->store, import->member, &source, !import->is_dry_run, import->run);
    if (import->keys)
        matching_tell(import->matching, append_key, import->keys);
    return import->matching;
}

/* Runs one transaction. */
static enum store_result save_entries(struct import *import, bool is_whole)
{
    struct matching_record *records[IMPORT_TRANSACTION_MAX];
    for (size_t i = 0; i < import->count; i++)
        records[i] = &import->entries[i].record;
    struct matching *matching = matching_of(import);
    enum store_result result = begin(import);
    if (result != STORE_DONE)
        return result;
    result = matching_find(matching, records, import->count, is_whole, &import->arena);
    for (size_t i = 0; i < import->count && result == STORE_DONE; i++)
        result = save_entry(import, &import->entries[i]);
    result = end(import, result);
    if (result != STORE_DONE)
        return result;
    for (size_t i = 0; i < import->count; i++)
        if (records[i]->state == MATCHING_DEFERRED)
            defer(import, &import->entries[i]);
    add_to_report(import);
    return STORE_DONE;
}

/* Saves the waiting records and frees their memory. */
static enum store_result save_waiting(struct import *import, bool is_whole)
{
    enum store_result result = import->count > 0 ? save_entries(import, is_whole) : STORE_DONE;
    import->settled += import->count;
    import->count = 0;
    import->bytes = 0;
    arena_reset(&import->arena);
    return result;
}

/* -- Records ----------------------------------------------------------------------------------- */

/* Where the mapping's notices go. */
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

/* Changes of the encoding count only if the record becomes a QSO. */
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

static struct entry *add_entry(struct import *import, struct record *record, bool is_told)
{
    struct notices notices = {import->report, record};
    struct mapped_source source = {
        .member = import->member->callsign,
        .report = is_told ? add_notice : NULL,
        .context = &notices,
        .is_station = import->member->is_station,
    };
    struct entry *entry = &import->entries[import->count];
    *entry = (struct entry){
        .line = record->line, .number = record->number, .record.number = record->number};
    encoding_read_record(import->encoding, record, &import->arena);
    const enum mapping_outcome outcome =
        mapping_read(record, &source, &import->arena, &entry->record.mapped);
    import->report->other_bands += outcome == MAPPING_OTHER_BAND;
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

/* -- Records that were deferred ---------------------------------------------------------------- */

static int compare_deferred(const void *one, const void *other)
{
    const struct deferred *a = one, *b = other;
    int order = (a->station > b->station) - (a->station < b->station);
    order = order ? order : (a->start_ms > b->start_ms) - (a->start_ms < b->start_ms);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Includes the header, which may define how to read the file. */
static void read_again(struct import *import, const struct deferred *deferred)
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

/* Whether records that no QSO can be both of are on the two sides of a place: of two stations, or
 * long after each other. */
static bool may_part(const struct import *import, size_t at)
{
    const struct deferred *before = &import->deferred[at - 1], *after = &import->deferred[at];
    return before->station != after->station ||
           after->start_ms - before->start_ms > 2 * (CONTACT_LENGTH_MAX_MS + CONTACT_WINDOW_MS);
}

/* As many as a transaction takes, from `begin` on; if they fit, all that may be one QSO. */
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
        result = save_waiting(import, true);
        store_checkpoint(import->store);
        if (import->tell)
            import->tell("importing", (int64_t)end, (int64_t)import->deferred_count);
    }
    return result;
}

enum store_result import_take(struct import *import, struct text file,
                              void (*tell)(const char *phase, int64_t done, int64_t total))
{
    struct arena arena = {0};
    struct record record;
    struct reader_fault fault;
    struct reader *reader = reader_create(file, &arena);
    enum store_result result = STORE_DONE;
    size_t begin = 0;
    import->file = file;
    import->tell = tell;
    for (enum reader_event event;
         result == STORE_DONE && (event = reader_next(reader, &record, &fault)) != READER_END;
         begin = reader_position(reader)) {
        struct entry *entry = NULL;
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
        result = save_waiting(import, false);
        store_checkpoint(import->store); /* after a short file an operator is waiting */
        if (tell)
            tell("importing", (int64_t)reader_position(reader), (int64_t)file.length);
    }
    THEN(result, save_waiting(import, import->settled == 0));
    THEN(result, save_deferred(import));
    arena_free(&import->arena);
    arena_free(&arena);
    return result;
}
