/* Records are collected until there are enough for a transaction, and all are mapped before the
 * writer lock is taken. identify.c knows which QSO a record is, adif/merge.c decides what becomes
 * of one that is stored already. */
#include "transfer/import.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/naming.h"
#include "adif/reader.h"
#include "transfer/identify.h"
#include "transfer/dry_run.h"
#include "qso/fields.h"
#include "store/history.h"
#include "store/log.h"
#include "store/logbook.h"
#include "store/qsos.h"
#include "store/storage.h"

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
    struct naming naming;
    struct identify identify;
    bool is_dry_run;
    struct dry_run dry_run;    /* what it would have saved */
    struct encoding *encoding; /* of values that are not UTF-8; NULL: not known */
    bool is_file;
    struct text file_name; /* no text: not known */
    struct entry *entries;
    size_t count;
    size_t bytes;
    struct arena arena; /* of the records that wait */
    /* What the transaction has done so far; it counts once that is on the disk. */
    struct {
        int64_t imported, updated, unchanged, new_ids;
    } tally;
};

struct import *import_create(struct store *store, const struct identity *member, bool dry_run,
                             struct report *report, struct arena *arena)
{
    struct import *import = arena_allocate(arena, sizeof *import);
    *import = (struct import){.store = store,
                              .member = member,
                              .report = report,
                              .identify = {.store = store, .member = member},
                              .is_dry_run = dry_run};
    import->entries = arena_allocate(arena, IMPORT_TRANSACTION_MAX * sizeof *import->entries);
    naming_begin(&import->naming, arena);
    table_begin(&import->dry_run.noted, arena, sizeof(struct noted));
    return import;
}

void import_set_encoding(struct import *import, struct encoding *encoding)
{
    import->encoding = encoding;
}

/* As much of it as the history takes. */
void import_name_file(struct import *import, struct text name)
{
    struct text rest = name;
    import->is_file = true;
    if (!text_is_utf8(name.bytes, name.length) || text_has_control(name))
        return;
    for (int i = 0; i < HISTORY_SUBJECT_MAX && rest.length > 0; i++)
        rest = text_skip(rest, text_measure_character(rest));
    if (name.length > 0)
        import->file_name = (struct text){name.bytes, name.length - rest.length};
}

/* -- Saving ------------------------------------------------------------------------------------ */

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
    const enum merge_way way = way_of(import, own);
    bool differs = merge_record(mapped, stored, way, &import->arena, merged);
    const struct value *client_id = &merged->values[FIELD_CLIENT_ID];
    if (stored && own && stored->values[FIELD_CLIENT_ID].presence != VALUE_PRESENT)
        merged->values[FIELD_ID] = stored->values[FIELD_ID];
    *is_new = !stored;
    if (!import->is_dry_run)
        return differs;
    struct noted *noted = dry_run_at(&import->dry_run, merged);
    if (noted->hashes.qso) {
        *is_new = false;
        differs = way != MERGE_REPLACE && noted->whole
                      ? merge_record(mapped, noted->whole, way, &import->arena, merged)
                      : noted->hashes.qso != dry_run_hash_qso(merged);
    }
    if (!differs)
        return false;
    noted->hashes.qso = dry_run_hash_qso(merged);
    if (way == MERGE_FILL ||
        (own && client_id->presence == VALUE_PRESENT &&
         naming_may_recur(&entry->name, import->member->callsign, import->identify.secret,
                          (const unsigned char *)client_id->text)))
        noted->whole = dry_run_copy(&import->dry_run, merged);
    return true;
}

/* Would a record's leftovers be kept beside a QSO that has those? */
static bool replaces(const struct noted *noted, bool fills, struct text brought, struct text kept)
{
    if (noted && noted->hashes.leftovers)
        return !fills && noted->hashes.leftovers != dry_run_hash(brought);
    return kept.length == 0 || (!fills && !text_equals(brought, kept));
}

/* Of the record's leftovers, those that take the place of what is kept; no text: nothing changes.
 * The same once more, or a record that only knows less of the QSO, must not make a write. A record
 * that brings its own has all that were there replaced; what contradicts the QSO that it is joined
 * with does not count. What only spells values of the QSO is nothing that fills it. */
static enum store_result choose_leftovers(struct import *import, const struct entry *entry,
                                          const struct qso *stored, const struct qso *merged,
                                          struct text *out)
{
    struct arena *arena = &import->arena;
    const struct text member = import->member->callsign;
    const bool fills = way_of(import, true) == MERGE_FILL;
    struct text brought = entry->mapped.leftovers, kept = {0};
    *out = (struct text){0};
    if (brought.length == 0)
        return STORE_DONE;
    struct noted *noted = import->is_dry_run ? dry_run_at(&import->dry_run, merged) : NULL;
    enum store_result result = STORE_DONE;
    if (stored)
        result = store_find_leftovers(import->store, import->member->member_id,
                                      stored->values[FIELD_ID].integer, arena, &kept);
    if (result != STORE_DONE || !replaces(noted, fills, brought, kept))
        return result;
    if (stored || (noted && noted->hashes.leftovers)) {
        brought = fills ? leftovers_select(brought, 0, arena)
                        : mapping_filter_leftovers(merged, brought, member, arena);
        kept = mapping_filter_leftovers(merged, kept, member, arena);
    }
    if (brought.length > 0 && replaces(noted, fills, brought, kept))
        *out = brought;
    if (noted && out->length > 0)
        noted->hashes.leftovers = dry_run_hash(brought);
    return STORE_DONE;
}

/* Saves a QSO that differs from what is stored, if anything is. */
static enum store_result save(struct import *import, const struct entry *entry,
                              const struct qso *qso, struct text leftovers, bool is_new)
{
    struct saved_qso saved;
    struct identity writer = *import->member;
    enum store_result result = STORE_DONE;
    if (writer.is_station)
        writer.maker = entry->mapped.maker;
    if (!import->is_dry_run)
        result = store_save_qso(&import->transaction, &writer, qso, leftovers, &saved);
    if (result == STORE_REFUSED || result == STORE_CONFLICT) {
        refuse(import, entry, rejection_internal.code);
        return STORE_DONE;
    }
    import->tally.imported += is_new;
    import->tally.updated += !is_new;
    return result;
}

/* Extra fields for which the member has no room are left out. */
static enum store_result make_room(struct import *import, const struct entry *entry,
                                   struct text *leftovers)
{
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (leftovers->length > 0 && !import->is_dry_run)
        result = store_make_room(&import->transaction, import->member->member_id,
                                 STORAGE_OF_LEFTOVERS + (int64_t)leftovers->length, &fits);
    if (fits)
        return result;
    report_add(import->report, NOTICE_LEFT_OUT, (struct text){0}, entry->line, entry->number,
               "no room for its extra fields: the member has too much in addition to QSOs");
    *leftovers = (struct text){0};
    return result;
}

static enum store_result save_entry(struct import *import, struct entry *entry)
{
    struct qso found, merged;
    struct text leftovers;
    bool is_new, own,
        had_own = entry->mapped.qso.values[FIELD_CLIENT_ID].presence == VALUE_PRESENT ||
                  entry->mapped.client_id_invalid;
    enum store_result result = identify_record(&import->identify, &entry->name, &entry->mapped,
                                               &import->arena, &own, &found);
    if (result == STORE_CONFLICT) {
        refuse(import, entry, rejection_client_id_conflict.code);
        return STORE_DONE;
    }
    if (result != STORE_DONE && result != STORE_NONE)
        return result;
    const struct qso *stored = result == STORE_DONE ? &found : NULL;
    import->tally.new_ids += had_own && !own;
    bool differs = merge(import, entry, stored, own, &is_new, &merged);
    result = choose_leftovers(import, entry, stored, &merged, &leftovers);
    THEN(result, make_room(import, entry, &leftovers));
    if (result == STORE_DONE && (differs || leftovers.length > 0))
        return save(import, entry, &merged, leftovers, is_new);
    import->tally.unchanged++;
    return result;
}

static enum store_result begin(struct import *import)
{
    int64_t now_ms = 0;
    if (import->is_dry_run)
        return store_begin_read(import->store, &now_ms);
    enum store_result result = store_begin_write(import->store, &import->transaction);
    if (result == STORE_DONE && import->is_file)
        store_describe_work(&import->transaction, WORK_IMPORT, import->file_name);
    return result;
}

/* No transaction is needed for records that change nothing. */
static enum store_result end(struct import *import, enum store_result result)
{
    if (import->is_dry_run) {
        store_end_read(import->store);
        return result;
    }
    if (result == STORE_DONE && import->tally.imported + import->tally.updated > 0)
        return store_commit(&import->transaction);
    store_rollback(&import->transaction);
    return result;
}

/* One transaction. */
static enum store_result save_entries(struct import *import)
{
    enum store_result result = begin(import);
    if (result != STORE_DONE)
        return result;
    memset(&import->tally, 0, sizeof import->tally);
    result = identify_begin(&import->identify, !import->is_dry_run);
    for (size_t i = 0; i < import->count && result == STORE_DONE; i++)
        result = save_entry(import, &import->entries[i]);
    result = end(import, result);
    if (result != STORE_DONE)
        return result;
    import->report->imported += import->tally.imported;
    import->report->updated += import->tally.updated;
    import->report->unchanged += import->tally.unchanged;
    import->report->new_ids += import->tally.new_ids;
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

/* What was done to its encoding counts only if the record becomes a QSO. */
static void report_encoding(struct notices *notices)
{
    const struct record *record = notices->record;
    for (size_t i = 0; i < record->count; i++)
        if (record->fields[i].notice)
            add_notice(notices,
                       record->fields[i].value.length > 0 ? NOTICE_CHANGED : NOTICE_LEFT_OUT,
                       record->fields[i].name, record->fields[i].line, record->fields[i].notice);
}

static void take_record(struct import *import, struct record *record)
{
    struct notices notices = {import->report, record};
    struct mapped_source source = {
        .member = import->member->callsign,
        .report = add_notice,
        .context = &notices,
        .is_station = import->member->is_station,
    };
    struct entry *entry = &import->entries[import->count];
    encoding_read_record(import->encoding, record, &import->arena);
    const enum mapping_outcome outcome =
        mapping_read(record, &source, &import->arena, &entry->mapped);
    import->report->other_bands += outcome == MAPPING_OTHER_BAND;
    if (outcome == MAPPING_QSO) {
        report_encoding(&notices);
        entry->line = record->line;
        entry->number = record->number;
        naming_next(&import->naming, &entry->mapped.qso, import->member->callsign, &entry->name);
        import->count++;
    }
    for (size_t i = 0; i < record->count; i++)
        import->bytes += record->fields[i].value.length;
}

enum store_result import_take(struct import *import, struct text file,
                              void (*tell)(const char *phase, int64_t done, int64_t total))
{
    struct arena arena = {0};
    struct record record;
    struct reader_fault fault;
    struct reader *reader = reader_create(file, &arena);
    enum store_result result = STORE_DONE;
    for (enum reader_event event;
         result == STORE_DONE && (event = reader_next(reader, &record, &fault)) != READER_END;) {
        import->report->found_adif = true;
        if (event == READER_WRONG)
            report_add(import->report, NOTICE_REFUSED, fault.field, fault.line, fault.number,
                       fault.reason);
        else if (event == READER_RECORD)
            take_record(import, &record);
        if (import->count < IMPORT_TRANSACTION_MAX && import->bytes <= WAITING_BYTES_MAX)
            continue;
        result = save_waiting(import);
        store_checkpoint(import->store); /* after a short file an operator is waiting */
        if (tell)
            tell("importing", (int64_t)reader_position(reader), (int64_t)file.length);
    }
    THEN(result, save_waiting(import));
    for (size_t i = 0; i < file.length; i++)
        import->report->lines += file.bytes[i] == '\n';
    arena_free(&import->arena);
    arena_free(&arena);
    return result;
}

/* -- Slices ------------------------------------------------------------------------------------ */

void import_append_state(const struct import *import, struct buffer *out)
{
    buffer_print(out, "%lld:", (long long)import->report->lines);
    naming_append_state(&import->naming, out);
    buffer_append_string(out, ":");
    if (import->is_dry_run)
        dry_run_append_state(&import->dry_run, out);
}

bool import_restore(struct import *import, struct text state)
{
    struct text lines = text_take_part(&state, ':'), names = text_take_part(&state, ':');
    return text_parse_integer(lines, 0, INT32_MAX, &import->report->lines) && names.bytes &&
           naming_restore(&import->naming, names) &&
           (import->is_dry_run ? dry_run_restore(&import->dry_run, state) : state.length == 0);
}
