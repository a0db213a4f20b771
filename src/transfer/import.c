/* Records are collected until there are enough for a transaction, and all are mapped before the
 * writer lock is taken. identify.c knows which QSO a record is, adif/merge.c decides what becomes
 * of one that is stored already. */
#include "transfer/import.h"

#include <stdlib.h>
#include <string.h>

#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/naming.h"
#include "adif/reader.h"
#include "transfer/identify.h"
#include "transfer/dry_run.h"
#include "qso/fields.h"
#include "store/history.h"
#include "store/logbook.h"
#include "store/qsos.h"

#define WAITING_BYTES_MAX 1048576 /* of records that wait; more are saved at once */

/* A record that waits to be saved. */
struct entry {
    int64_t line, number;
    struct mapped mapped;
    struct naming_name name;
};

struct import {
    struct store *store;
    struct transaction transaction; /* that is open, unless this is a dry run */
    const struct identity *member;
    struct report *report;
    struct reader *reader;
    struct naming *naming;
    struct identify identify;
    struct dry_run *dry_run; /* what a dry run would have saved; NULL: not a dry run */
    bool is_file;
    struct text file_name; /* no text: not known */
    struct arena file_arena;
    struct arena arena; /* of the records that wait */
    struct entry *entries;
    size_t count;
    size_t bytes;
    bool found_adif;
};

struct import *import_create(struct store *store, const struct identity *member, bool dry_run,
                             struct report *report)
{
    struct import *import = memory_allocate(sizeof *import);
    *import = (struct import){.store = store,
                              .member = member,
                              .report = report,
                              .reader = reader_create(),
                              .naming = naming_create(),
                              .identify = {.store = store, .member = member},
                              .dry_run = dry_run ? dry_run_create() : NULL};
    import->entries = memory_allocate(IMPORT_TRANSACTION_MAX * sizeof *import->entries);
    return import;
}

void import_free(struct import *import)
{
    if (!import)
        return;
    reader_free(import->reader);
    naming_free(import->naming);
    dry_run_free(import->dry_run);
    arena_free(&import->file_arena);
    arena_free(&import->arena);
    free(import->entries);
    free(import);
}

/* As much of it as the history takes. */
void import_name_file(struct import *import, struct text name)
{
    size_t length = 0;
    import->is_file = true;
    if (!text_is_utf8(name.bytes, name.length) || text_has_control(name))
        return;
    for (size_t points = 0; length < name.length; length++) {
        points += (name.bytes[length] & 0xc0) != 0x80;
        if (points > HISTORY_SUBJECT_MAX)
            break;
    }
    if (length > 0)
        import->file_name =
            (struct text){arena_copy(&import->file_arena, name.bytes, length), length};
}

bool import_found_adif(const struct import *import)
{
    return import->found_adif;
}

/* -- Saving ------------------------------------------------------------------------------------ */

/* What a transaction has done so far; it counts once that is on the disk. */
struct tally {
    int64_t imported, updated, unchanged, new_ids;
};

static void refuse(struct import *import, const struct entry *entry, const char *reason)
{
    report_add(import->report, NOTICE_REFUSED, (struct text){0}, entry->line, entry->number,
               reason);
}

/* An upload token lies in many programs; who has it must not be able to take anything away. */
static enum merge_way way_of(const struct import *import, bool own)
{
    bool fills = import->member->credential == CREDENTIAL_TOKEN;
    return fills ? MERGE_FILL : own ? MERGE_REPLACE : MERGE_ADD;
}

/* Makes the new QSO from the record and the stored one; false if both are equal. In a dry run
 * the QSO that was noted counts as stored. */
static bool merge(struct import *import, const struct entry *entry, const struct qso *stored,
                  bool own, bool *is_new, struct qso *merged)
{
    const struct mapped *mapped = &entry->mapped;
    unsigned char id[UUID_BYTES];
    enum merge_way way = way_of(import, own);
    bool differs = merge_record(mapped, stored, way, &import->arena, merged);
    if (stored && own && stored->values[FIELD_CLIENT_ID].presence != VALUE_PRESENT)
        merged->values[FIELD_ID] = stored->values[FIELD_ID];
    *is_new = !stored;
    if (!import->dry_run)
        return differs;
    dry_run_find_id(merged, id);
    if (dry_run_has(import->dry_run, id)) {
        const struct qso *noted = dry_run_find(import->dry_run, id);
        *is_new = false;
        if (way != MERGE_REPLACE && noted)
            differs = merge_record(mapped, noted, way, &import->arena, merged);
        else
            differs = dry_run_differs(import->dry_run, id, merged);
    }
    if (differs)
        dry_run_note(import->dry_run, id, merged,
                     way == MERGE_FILL ||
                         (own && naming_may_recur(&entry->name, import->member->callsign,
                                                  import->identify.secret, id)));
    return differs;
}

/* Of the record's leftovers, those that are to be kept; no text: nothing changes. */
static enum store_result choose_leftovers(struct import *import, const struct entry *entry,
                                          const struct qso *stored, const struct qso *merged,
                                          struct text *out)
{
    unsigned char id[UUID_BYTES];
    struct keep_choice choice = {.store = import->store,
                                 .member_id = import->member->member_id,
                                 .dry_run = import->dry_run,
                                 .dry_run_id = id,
                                 .fills = way_of(import, true) == MERGE_FILL,
                                 .stored = stored,
                                 .merged = merged,
                                 .source = {.member = import->member->callsign}};
    dry_run_find_id(merged, id);
    return keep_choose(&choice, entry->mapped.leftovers, &import->arena, out);
}

/* Saves a QSO that differs from what is stored, if anything is. */
static enum store_result save(struct import *import, const struct entry *entry,
                              const struct qso *qso, struct text leftovers, bool is_new,
                              struct tally *tally)
{
    struct saved_qso saved;
    struct identity writer = *import->member;
    enum store_result result = STORE_DONE;
    if (writer.is_station)
        writer.maker = entry->mapped.maker;
    if (!import->dry_run)
        result = store_save_qso(&import->transaction, &writer, qso, leftovers, &saved);
    if (result == STORE_REFUSED || result == STORE_CONFLICT) {
        refuse(import, entry, rejection_internal.code);
        return STORE_DONE;
    }
    tally->imported += is_new;
    tally->updated += !is_new;
    return result;
}

static enum store_result save_entry(struct import *import, struct entry *entry, struct tally *tally)
{
    struct qso stored, merged;
    struct text leftovers;
    bool own, had_own = entry->mapped.qso.values[FIELD_CLIENT_ID].presence == VALUE_PRESENT ||
                        entry->mapped.client_id_invalid;
    enum store_result result = identify_record(&import->identify, &entry->name, &entry->mapped,
                                               &import->arena, &own, &stored);
    if (result == STORE_CONFLICT) {
        refuse(import, entry, rejection_client_id_conflict.code);
        return STORE_DONE;
    }
    if (result != STORE_DONE && result != STORE_NONE)
        return result;
    tally->new_ids += had_own && !own;
    bool is_new, is_there = result == STORE_DONE;
    bool differs = merge(import, entry, is_there ? &stored : NULL, own, &is_new, &merged);
    result = choose_leftovers(import, entry, is_there ? &stored : NULL, &merged, &leftovers);
    if (result != STORE_DONE)
        return result;
    if (differs || leftovers.length > 0)
        return save(import, entry, &merged, leftovers, is_new, tally);
    tally->unchanged++;
    return STORE_DONE;
}

static enum store_result begin(struct import *import)
{
    int64_t now_ms = 0;
    if (import->dry_run)
        return store_begin_read(import->store, &now_ms);
    enum store_result result = store_begin_write(import->store, &import->transaction);
    if (result == STORE_DONE && import->is_file)
        store_describe_work(&import->transaction, WORK_IMPORT, import->file_name);
    return result;
}

/* No transaction is needed for records that change nothing. */
static enum store_result end(struct import *import, enum store_result result,
                             const struct tally *tally)
{
    if (import->dry_run) {
        store_end_read(import->store);
        return result;
    }
    if (result == STORE_DONE && tally->imported + tally->updated > 0)
        return store_commit(&import->transaction);
    store_rollback(&import->transaction);
    return result;
}

/* One transaction. */
static enum store_result save_entries(struct import *import)
{
    struct tally tally = {0};
    enum store_result result = begin(import);
    if (result != STORE_DONE)
        return result;
    result = identify_begin(&import->identify, !import->dry_run);
    for (size_t i = 0; i < import->count && result == STORE_DONE; i++)
        result = save_entry(import, &import->entries[i], &tally);
    result = end(import, result, &tally);
    if (result != STORE_DONE)
        return result;
    import->report->imported += tally.imported;
    import->report->updated += tally.updated;
    import->report->unchanged += tally.unchanged;
    import->report->new_ids += tally.new_ids;
    return STORE_DONE;
}

/* Saves the waiting records and frees their memory. */
static enum store_result save_waiting(struct import *import)
{
    enum store_result result = import->count > 0 ? save_entries(import) : STORE_DONE;
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

static enum store_result take_record(struct import *import, const struct record *record)
{
    struct notices notices = {import->report, record};
    struct mapped_source source = {
        .member = import->member->callsign,
        .report = add_notice,
        .context = &notices,
        .is_station = import->member->is_station,
    };
    struct entry *entry = &import->entries[import->count];
    switch (mapping_read(record, &source, &import->arena, &entry->mapped)) {
    case MAPPING_OTHER_BAND:
        import->report->other_bands++;
        break;
    case MAPPING_QSO:
        entry->line = record->line;
        entry->number = record->number;
        naming_next(import->naming, &entry->mapped.qso, import->member->callsign, &entry->name);
        import->count++;
        break;
    case MAPPING_REFUSED:
        break;
    }
    for (size_t i = 0; i < record->count; i++)
        import->bytes += record->fields[i].value.length;
    if (import->count < IMPORT_TRANSACTION_MAX && import->bytes <= WAITING_BYTES_MAX)
        return STORE_DONE;
    enum store_result result = save_waiting(import);
    store_checkpoint(import->store); /* after a short file an operator is waiting */
    return result;
}

/* All events that there are by now. */
static enum store_result take_events(struct import *import)
{
    enum store_result result = STORE_DONE;
    struct record record;
    struct reader_fault fault;
    while (result == STORE_DONE) {
        enum reader_event event = reader_next(import->reader, &record, &fault);
        if (event == READER_MORE || event == READER_END)
            break;
        import->found_adif = true;
        if (event == READER_WRONG)
            report_add(import->report, NOTICE_REFUSED, fault.field, fault.line, fault.number,
                       fault.reason);
        else if (event == READER_RECORD)
            result = take_record(import, &record);
    }
    return result;
}

enum store_result import_feed(struct import *import, const void *bytes, size_t length)
{
    reader_feed(import->reader, bytes, length);
    return take_events(import);
}

enum store_result import_finish(struct import *import)
{
    reader_finish(import->reader);
    enum store_result result = take_events(import);
    return result == STORE_DONE ? save_waiting(import) : result;
}

/* -- Slices ------------------------------------------------------------------------------------ */

void import_append_state(const struct import *import, struct buffer *out)
{
    naming_append_state(import->naming, out);
    buffer_append_string(out, ":");
    if (import->dry_run)
        dry_run_append_state(import->dry_run, out);
}

bool import_restore(struct import *import, struct text state)
{
    struct text names = text_take_part(&state, ':');
    return naming_restore(import->naming, names) &&
           (import->dry_run ? dry_run_restore(import->dry_run, state) : state.length == 0);
}
