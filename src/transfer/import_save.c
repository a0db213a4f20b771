/* Saves the waiting records in transactions. matching.c finds a record's QSO; joining.c saves the
 * record. */
#include "transfer/import_save.h"

#include "adif/rows.h"
#include "base/text_hash.h"
#include "qso/fields.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "transfer/joining.h"
#include "transfer/matching.h"
#include "transfer/matching_source.h"

static void reject(struct import *import, const struct import_entry *entry, const char *reason)
{
    report_add(import->report, NOTICE_REFUSED, (struct text){0}, entry->line, entry->number,
               reason);
}

/* The import and the record whose values are collected. */
struct noting {
    struct import *import;
    const struct import_entry *entry;
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

void import_note_outcome(struct import *import, int64_t number, char outcome)
{
    struct buffer *out = import->outcomes;
    if (!out)
        return;
    while ((int64_t)out->length < number)
        buffer_append(out, "x", 1);
    out->bytes[number - 1] = outcome;
}

static void count(struct import *import, const struct matching_record *record,
                  const struct joined *joined)
{
    struct report_counts *tally = &import->tally;
    int64_t *number = &tally->unchanged;
    char outcome = 'u';
    if (record->state == MATCHING_REPEATED || record->came_before) {
        number = &tally->repeated;
        outcome = 'r';
    } else if (joined->is_new) {
        number = &tally->imported;
        outcome = 'n';
    } else if (joined->is_changed) {
        number = joined->is_corrected ? &tally->corrected : &tally->completed;
        outcome = 'c';
    }
    import_note_outcome(import, record->number, outcome);
    ++*number;
}

static enum store_result save_entry(struct import *import, struct import_entry *entry)
{
    struct matching_record *record = &entry->record;
    struct noting noting = {import, entry};
    const struct joining joining = {.transaction = &import->transaction,
                                    .matching = import->matching,
                                    .writer = import->member,
                                    .watch = {record->came_before ? NULL : note_value, &noting},
                                    .arena = &import->arena};
    struct joined joined = {0};
    enum store_result result = STORE_DONE;
    if (record->state == MATCHING_DEFERRED)
        return STORE_DONE;
    if (record->state == MATCHING_NEW || record->state == MATCHING_STORED)
        result = joining_save(&joining, record, &joined);
    if (result == STORE_REFUSED || result == STORE_CONFLICT) {
        reject(import, entry, rejection_internal.code);
        return STORE_DONE;
    }
    import->tally.new_ids += entry->had_id && !record->is_own && record->state != MATCHING_REPEATED;
    import->writes = import->writes || joined.writes;
    if (joined.has_no_room)
        report_add(import->report, NOTICE_LEFT_OUT, (struct text){0}, entry->line, entry->number,
                   "no space for the record's extra fields: the member's storage is full");
    if (joined.is_forgotten)
        report_add(import->report, NOTICE_LEFT_OUT, (struct text){0}, entry->line, entry->number,
                   "no space to remember the record: the member's storage is full");
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

/* Ends the transaction. If nothing was written, or in a dry run, the transaction is rolled back. */
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

/* Lists a record whose QSO is not decided yet, so that the record is read once more at the end. */
static void defer(struct import *import, const struct import_entry *entry)
{
    const struct contact *contact = &entry->record.contact;
    uint64_t station = text_hash(TEXT_HASH_START, contact->worked.bytes, contact->worked.length);
    import->deferred = arena_grow(import->run, import->deferred, import->deferred_count,
                                  &import->deferred_capacity, sizeof *import->deferred);
    import->deferred[import->deferred_count++] = (struct import_deferred){
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

/* Saves the waiting records in one transaction. */
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

enum store_result import_save_waiting(struct import *import, bool is_whole)
{
    enum store_result result = import->count > 0 ? save_entries(import, is_whole) : STORE_DONE;
    import->settled += import->count;
    import->count = 0;
    import->bytes = 0;
    arena_reset(&import->arena);
    return result;
}
