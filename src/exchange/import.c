/* Records wait until enough of them are there for a transaction, and are all mapped before the
 * writer lock is taken. What an import makes of a QSO that is stored already is decided in
 * adif/merge.c, which clientId a record has in adif/naming.c. */
#include "exchange/import.h"

#include <stdlib.h>
#include <string.h>

#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/naming.h"
#include "adif/reader.h"
#include "adif/writer.h"
#include "qso/rejection.h"

#define WAITING_BYTES_MAX 1048576 /* of records that wait; more are saved at once */

/* A record on its way. */
struct entry {
    int64_t line, number;
    struct mapped mapped;
    struct naming_name name;
};

struct import {
    struct store *store;
    const struct identity *member;
    struct report *report;
    struct reader *reader;
    struct naming *naming;
    struct naming *seen; /* ids of a dry run, which finds nothing stored of its own file */
    struct text exporter;
    struct arena file_arena;
    struct arena arena; /* of the records that wait */
    struct entry *entries;
    size_t count;
    size_t bytes;
    bool dry_run;
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
                              .seen = naming_create(),
                              .dry_run = dry_run};
    import->entries = memory_allocate(IMPORT_TRANSACTION_MAX * sizeof *import->entries);
    return import;
}

void import_free(struct import *import)
{
    if (!import)
        return;
    reader_free(import->reader);
    naming_free(import->naming);
    naming_free(import->seen);
    arena_free(&import->file_arena);
    arena_free(&import->arena);
    free(import->entries);
    free(import);
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

static void set_id(struct entry *entry, const unsigned char *id)
{
    struct value *value = &entry->mapped.qso.values[FIELD_CLIENT_ID];
    value->text = (const char *)id;
    value->length = UUID_BYTES;
    value->presence = VALUE_PRESENT;
}

static enum store_result find_stored(struct import *import, const struct entry *entry,
                                     struct qso *stored)
{
    const char *id = entry->mapped.qso.values[FIELD_CLIENT_ID].text;
    return store_find_qso(import->store, import->member->member_id, (const unsigned char *)id,
                          &import->arena, stored);
}

/* Gives the entry the clientId under which it is or will be stored. STORE_CONFLICT: all that it
 * could have are other members'. */
static enum store_result find_place(struct import *import, struct entry *entry, bool *own,
                                    struct qso *stored)
{
    enum store_result result = STORE_CONFLICT;
    unsigned char *id = arena_allocate(&import->arena, UUID_BYTES);
    *own = entry->mapped.qso.values[FIELD_CLIENT_ID].presence == VALUE_PRESENT;
    if (*own)
        result = find_stored(import, entry, stored);
    if (result != STORE_CONFLICT)
        return result;
    *own = false;
    naming_make_id(&entry->name, id);
    set_id(entry, id);
    result = find_stored(import, entry, stored);
    if (result != STORE_CONFLICT)
        return result;
    naming_make_member_id(&entry->name, import->member->callsign, id);
    return find_stored(import, entry, stored);
}

static void refuse(struct import *import, const struct entry *entry, const char *reason)
{
    report_add(import->report, NOTICE_REFUSED, (struct text){0}, entry->line, entry->number,
               reason);
}

/* A dry run cannot find stored what it did not save. */
static bool was_seen(struct import *import, const struct entry *entry)
{
    const char *id = entry->mapped.qso.values[FIELD_CLIENT_ID].text;
    return import->dry_run && naming_count(import->seen, (const unsigned char *)id) > 1;
}

/* Saves a QSO that differs from what is stored, if anything is. */
static enum store_result save(struct import *import, const struct entry *entry, int64_t stamp_ms,
                              const struct qso *qso, bool is_new, struct tally *tally)
{
    struct saved_qso saved;
    enum store_result result = STORE_DONE;
    if (!import->dry_run)
        result = store_save_qso(import->store, import->member, stamp_ms, qso, &saved);
    if (result == STORE_REFUSED || result == STORE_CONFLICT) {
        refuse(import, entry, rejection_internal.code);
        return STORE_DONE;
    }
    tally->imported += is_new;
    tally->updated += !is_new;
    return result;
}

static enum store_result save_entry(struct import *import, struct entry *entry, int64_t stamp_ms,
                                    struct tally *tally)
{
    struct qso stored, merged;
    bool own, had_own = entry->mapped.qso.values[FIELD_CLIENT_ID].presence == VALUE_PRESENT ||
                        entry->mapped.client_id_invalid;
    enum store_result result = find_place(import, entry, &own, &stored);
    if (result == STORE_CONFLICT) {
        refuse(import, entry, rejection_client_id_conflict.code);
        return STORE_DONE;
    }
    if (result != STORE_DONE && result != STORE_NONE)
        return result;
    tally->new_ids += had_own && !own;
    bool is_new = result == STORE_NONE;
    bool seen = is_new && was_seen(import, entry);
    if (!seen &&
        merge_record(&entry->mapped, is_new ? NULL : &stored, own, &import->arena, &merged))
        return save(import, entry, stamp_ms, &merged, is_new, tally);
    tally->unchanged++;
    return STORE_DONE;
}

static enum store_result begin(struct import *import, int64_t *stamp_ms)
{
    *stamp_ms = 0;
    return import->dry_run ? store_begin_read(import->store, stamp_ms)
                           : store_begin_write(import->store, stamp_ms);
}

/* Nothing is written for records that changed nothing. */
static enum store_result end(struct import *import, enum store_result result,
                             const struct tally *tally)
{
    if (import->dry_run) {
        store_end_read(import->store);
        return result;
    }
    if (result == STORE_DONE && tally->imported + tally->updated > 0)
        return store_commit(import->store);
    store_rollback(import->store);
    return result;
}

/* One transaction. */
static enum store_result save_entries(struct import *import)
{
    struct tally tally = {0};
    int64_t stamp_ms;
    enum store_result result = begin(import, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    for (size_t i = 0; i < import->count && result == STORE_DONE; i++)
        result = save_entry(import, &import->entries[i], stamp_ms, &tally);
    result = end(import, result, &tally);
    if (result != STORE_DONE)
        return result;
    import->report->imported += tally.imported;
    import->report->updated += tally.updated;
    import->report->unchanged += tally.unchanged;
    import->report->new_ids += tally.new_ids;
    return STORE_DONE;
}

/* Saves what waits, and gives back the memory that was used for it. */
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
struct telling {
    struct report *report;
    const struct record *record;
};

static void tell(void *context, enum mapped_notice notice, struct text field, int64_t line,
                 const char *reason)
{
    const struct telling *telling = context;
    report_add(telling->report, notice, field, line ? line : telling->record->line,
               telling->record->number, reason);
}

static void read_header(struct import *import, const struct record *header)
{
    for (size_t i = 0; i < header->count; i++)
        if (text_equals_ignoring_case(header->fields[i].name, WRITER_CALLSIGN_FIELD)) {
            struct text value = header->fields[i].value;
            import->exporter = (struct text){
                arena_copy(&import->file_arena, value.bytes, value.length), value.length};
        }
}

static enum store_result take_record(struct import *import, const struct record *record)
{
    struct telling telling = {import->report, record};
    struct mapped_source source = {.member = import->member->callsign,
                                   .exporter = import->exporter,
                                   .tell = tell,
                                   .context = &telling};
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
    store_checkpoint(import->store); /* in a long file only; after a short one somebody waits */
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
        if (event == READER_HEADER)
            read_header(import, &record);
        else if (event == READER_WRONG)
            report_add(import->report, NOTICE_REFUSED, fault.field, fault.line, fault.number,
                       fault.reason);
        else
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
    buffer_append_hex(out, import->exporter.bytes, import->exporter.length);
    buffer_append_string(out, ":");
    naming_append_state(import->naming, out);
}

bool import_restore(struct import *import, struct text state)
{
    const char *colon = memchr(state.bytes, ':', state.length);
    if (!colon)
        return false;
    size_t length = (size_t)(colon - state.bytes);
    char *exporter = arena_allocate(&import->file_arena, length + 1);
    if (!text_parse_hex((struct text){state.bytes, length}, exporter))
        return false;
    if (length > 0)
        import->exporter = (struct text){exporter, length / 2};
    return naming_restore(import->naming, (struct text){colon + 1, state.length - length - 1});
}
