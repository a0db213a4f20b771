/* Reads, saves and answers a batch. src/qso/values.c reads an entry; src/store saves it and looks
 * for its other side. The caller checks who may write, and begins the transaction. */
#include "transfer/batch.h"

#include <string.h>

#include "adif/notes.h"
#include "adif/said_origin.h"
#include "base/datetime.h"
#include "json/append.h"
#include "json/list.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/entry.h"
#include "qso/fields.h"
#include "qso/render.h"
#include "store/log/qsos.h"
#include "transfer/joining.h"
#include "transfer/matching.h"

/* The fields of an entry in addition to the QSO's. */
enum { BASE = FIELD_COUNT, MATCH, PROGRAM, PROGRAM_ID, SENT_COUNT };

#define BASE_NAME "baseSyncedAt"

static int find_value(struct text name)
{
    static const char *const names[] = {BASE_NAME, "match", "program", "programId"};
    for (int i = 0; i < SENT_COUNT - BASE; i++)
        if (text_equals(name, text_of(names[i])))
            return BASE + i;
    return fields_find_sent(name);
}

static const struct json_list_plan plan = {
    .list = BATCH_LIST,
    .elements_max = BATCH_ENTRIES_MAX,
    .fields_max = SENT_COUNT,
    .find = find_value,
};

/* Null counts as absent. */
static const struct rejection *read_base(const struct json_value *sent, struct batch_entry *entry)
{
    static const struct rejection no_time =
        REJECTION_SENTENCE(BASE_NAME, "must be the syncedAt of the QSO that was changed");
    entry->has_base = sent->kind != JSON_MISSING && sent->kind != JSON_NULL;
    if (!entry->has_base ||
        (sent->kind == JSON_STRING && datetime_parse(text_trim(sent->text), &entry->base_ms)))
        return NULL;
    return &no_time;
}

/* -- Records of other programs ----------------------------------------------------------------- */

static bool is_missing(const struct json_value *sent)
{
    return sent->kind == JSON_MISSING || sent->kind == JSON_NULL;
}

/* In the form in which it is stored; no text: none. */
static const struct rejection *read_program(const struct json_value *values, struct arena *arena,
                                            struct matching_record *record)
{
    static const struct rejection no_program = REJECTION_SENTENCE(
        "program", "must be 1 to " TEXT_OF(CONTACT_PROGRAM_MAX) " characters of ASCII");
    static const struct rejection no_id = REJECTION_SENTENCE(
        "programId", "must be 1 to " TEXT_OF(CONTACT_ID_MAX) " characters of ASCII, with program");
    const struct json_value *program = &values[PROGRAM], *id = &values[PROGRAM_ID];
    if (!is_missing(program)) {
        if (program->kind != JSON_STRING || text_trim(program->text).length > CONTACT_PROGRAM_MAX)
            return &no_program;
        record->program = said_make_program(program->text, arena);
        if (!record->program.bytes)
            return &no_program;
    }
    if (is_missing(id))
        return NULL;
    if (id->kind != JSON_STRING || !record->program.bytes ||
        !said_make_id(record->program, id->text, arena, &record->mapped.ids[0]))
        return &no_id;
    record->mapped.id_count = 1;
    return NULL;
}

/* Includes only present values. */
static struct matching_record *make_record(const struct qso *qso, struct arena *arena)
{
    struct matching_record *record = arena_allocate_zeroed(arena, sizeof *record);
    record->takes_id = true;
    record->mapped.qso = *qso;
    record->mapped.notes = notes_of_qso(qso);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (qso->values[i].state == VALUE_NULL)
            record->mapped.qso.values[i].state = VALUE_OMITTED;
    return record;
}

static const struct rejection *read_match(const struct json_value *values, struct arena *arena,
                                          struct batch_entry *entry)
{
    static const struct rejection no_match =
        REJECTION_SENTENCE("match", "must be true, false or \"find\"");
    static const struct rejection no_base =
        REJECTION_SENTENCE(BASE_NAME, "cannot be combined with match");
    const struct json_value *match = &values[MATCH];
    if (is_missing(match) || match->kind == JSON_FALSE)
        return NULL;
    if (match->kind != JSON_TRUE &&
        (match->kind != JSON_STRING || !text_equals(match->text, text_of("find"))))
        return &no_match;
    if (entry->has_base)
        return &no_base;
    entry->match = match->kind == JSON_TRUE ? BATCH_MATCH : BATCH_FIND;
    entry->record = make_record(&entry->qso, arena);
    return read_program(values, arena, entry->record);
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* Reads all entries before it takes the writer lock, so that no writer waits while another's JSON
 * is parsed. */
static void validate_entries(const struct json_list *entries, struct arena *arena,
                             struct batch *batch)
{
    batch->count = entries->count;
    batch->entries = arena_allocate_zeroed(arena, batch->count * sizeof *batch->entries);
    for (size_t i = 0; i < batch->count; i++) {
        struct batch_entry *entry = &batch->entries[i];
        const struct json_value *values = entries->elements[i];
        entry->client_id = values ? &values[FIELD_CLIENT_ID] : NULL;
        entry->rejection = validate_qso(values, arena, &entry->qso);
        if (!entry->rejection)
            entry->rejection = read_base(&values[BASE], entry);
        if (!entry->rejection)
            entry->rejection = read_match(values, arena, entry);
    }
}

bool batch_read(const struct json_fields *sent, struct arena *arena, struct batch *batch)
{
    struct json_list entries;
    json_list_of(sent, &plan, arena, &entries);
    if (!entries.is_array || entries.count < 1)
        return false;
    validate_entries(&entries, arena, batch);
    return true;
}

/* -- Saving ------------------------------------------------------------------------------------ */

/* Inside the transaction that would write it. */
static enum store_result compare_base(struct transaction *transaction,
                                      const struct identity *member, struct batch_entry *entry)
{
    struct arena arena = {0};
    struct qso stored;
    enum store_result result = store_find_qso(
        transaction->store, member->member_id,
        (const unsigned char *)entry->qso.values[FIELD_CLIENT_ID].text, &arena, &stored);
    if (result == STORE_DONE)
        entry->synced_at_ms = stored.values[FIELD_SYNCED_AT].integer;
    arena_free(&arena);
    if (result == STORE_DONE && entry->synced_at_ms > entry->base_ms)
        entry->rejection = &rejection_conflict;
    return result == STORE_NONE || result == STORE_CONFLICT ? STORE_DONE : result;
}

static enum store_result note_result(struct batch_entry *entry, enum store_result result)
{
    if (result == STORE_CONFLICT)
        entry->rejection = &rejection_client_id_conflict;
    else if (result == STORE_REFUSED)
        entry->rejection = &rejection_internal;
    else
        return result;
    return STORE_DONE;
}

static enum store_result save_entry(struct transaction *transaction, const struct identity *member,
                                    struct batch_entry *entry)
{
    enum store_result result =
        entry->has_base ? compare_base(transaction, member, entry) : STORE_DONE;
    if (result != STORE_DONE || entry->rejection)
        return result;
    return note_result(
        entry, store_save_qso(transaction, member, &entry->qso, (struct text){0}, &entry->saved));
}

/* The data for the work on a batch. */
struct saving {
    struct transaction *transaction;
    const struct identity *member;
    struct batch *batch;
    struct arena *arena;
    struct matching *matching; /* for the entries that are matched */
};

static size_t list_records(const struct batch *batch, enum batch_match match,
                           struct matching_record **out)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++)
        if (!batch->entries[i].rejection && batch->entries[i].match == match)
            out[count++] = batch->entries[i].record;
    return count;
}

/* The QSOs of all entries, which are matched together. If an entry repeats another one that will be
 * saved, it counts for both. */
static enum store_result find_matches(struct saving *saving)
{
    struct matching_record *records[BATCH_ENTRIES_MAX];
    size_t count = list_records(saving->batch, BATCH_FIND, records);
    count += list_records(saving->batch, BATCH_MATCH, records + count);
    if (count == 0)
        return STORE_DONE;
    const struct matching_source source = matching_source_of_writer(saving->member, saving->arena);
    saving->matching =
        matching_create(saving->transaction->store, saving->member, &source, true, saving->arena);
    return matching_find(saving->matching, records, count, true, saving->arena);
}

/* The QSO that it is. */
static enum store_result read_stored(struct saving *saving, struct batch_entry *entry)
{
    struct matching_record *record = entry->record;
    enum store_result result = STORE_DONE;
    if (record->state == MATCHING_SAID)
        result = store_find_own_qso(saving->transaction->store, saving->member->member_id,
                                    record->qso_id, saving->arena, &record->stored);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    record->state = MATCHING_STORED;
    entry->is_matched = entry->is_unchanged = true; /* so far */
    entry->matched_client_id = record->stored.values[FIELD_CLIENT_ID];
    entry->saved =
        (struct saved_qso){.id = record->qso_id,
                           .spotted_at_ms = qso_integer_or(&record->stored, FIELD_SPOTTED_AT, 0)};
    return STORE_DONE;
}

static enum store_result save_match(struct saving *saving, struct batch_entry *entry)
{
    struct joined joined;
    enum store_result result = STORE_DONE;
    if (entry->record->state != MATCHING_NEW)
        result = read_stored(saving, entry);
    THEN(result, joining_save(saving->transaction, saving->matching, saving->member, entry->record,
                              NULL, NULL, saving->arena, &joined));
    if (result == STORE_DONE && joined.is_changed)
        entry->saved = joined.saved;
    entry->is_unchanged = result == STORE_DONE && !joined.is_changed;
    return note_result(entry, result);
}

static enum store_result finish_found(struct saving *saving, struct batch_entry *entry)
{
    if (entry->record->state != MATCHING_NEW)
        return read_stored(saving, entry);
    entry->rejection = &rejection_no_match;
    return STORE_DONE;
}

/* An entry that another entry repeats, which is finished. */
static void copy_result(const struct batch *batch, struct batch_entry *entry)
{
    const struct matching_record *last = entry->record;
    const struct batch_entry *other = batch->entries;
    while (last->later)
        last = last->later;
    while (other->record != last)
        other++;
    entry->rejection = other->rejection;
    entry->saved = other->saved;
    entry->is_matched = entry->is_unchanged = true;
    entry->matched_client_id =
        other->is_matched ? other->matched_client_id : other->qso.values[FIELD_CLIENT_ID];
}

enum store_result batch_save(struct transaction *transaction, const struct identity *member,
                             struct batch *batch, struct arena *arena)
{
    struct saving saving = {transaction, member, batch, arena, NULL};
    enum store_result result = find_matches(&saving);
    for (size_t i = 0; i < batch->count && result == STORE_DONE; i++) {
        struct batch_entry *entry = &batch->entries[i];
        if (entry->rejection || (entry->record && entry->record->later))
            continue;
        if (entry->match == BATCH_FIND)
            result = finish_found(&saving, entry);
        else
            result =
                entry->record ? save_match(&saving, entry) : save_entry(transaction, member, entry);
    }
    for (size_t i = 0; i < batch->count && result == STORE_DONE; i++) {
        struct batch_entry *entry = &batch->entries[i];
        if (!entry->rejection && entry->record && entry->record->later)
            copy_result(batch, entry);
    }
    return result;
}

/* -- Results ----------------------------------------------------------------------------------- */

/* Keeps the escapes sent for invalid characters: a program looks for its own text. */
static void append_client_id(const struct json_value *sent, struct buffer *body)
{
    size_t at = body->length;
    const char *lost = sent->lost;
    json_append_string(body, sent->text.bytes, sent->text.length);
    for (; lost && at < body->length; at++) {
        if (body->bytes[at] != '\\')
            continue;
        if (strncmp(body->bytes + at, "\\u0000", 6) == 0) {
            memcpy(body->bytes + at + 2, lost, 4);
            lost += 4;
        }
        at++;
    }
}

static void render_result(const struct batch_entry *entry, bool names_fields, struct buffer *body)
{
    json_begin_item(body);
    if (entry->client_id && entry->client_id->kind == JSON_STRING) {
        json_write_name(body, "clientId");
        append_client_id(entry->client_id, body);
    } else {
        json_write_null(body, "clientId");
    }
    if (!entry->rejection) {
        json_write_fields(body, json_number("id", entry->saved.id),
                          json_time("spottedAt", entry->saved.spotted_at_ms));
        if (entry->is_matched) {
            json_write_name(body, "matchedClientId");
            render_field(FIELD_CLIENT_ID, &entry->matched_client_id, body);
            json_write_flag(body, "unchanged", entry->is_unchanged);
        }
    } else {
        json_write_null(body, "id");
        json_write_text(body, "error", text_of(entry->rejection->code));
        if (names_fields)
            json_write_text(body, "field", text_of(entry->rejection->field));
        if (entry->rejection == &rejection_no_match)
            json_write_flag(body, "permanent", false);
        else if (entry->rejection == &rejection_conflict)
            json_write_fields(body, json_flag("permanent", false),
                              json_time("syncedAt", entry->synced_at_ms));
        else if (entry->rejection->permanent)
            json_write_flag(body, "permanent", true);
    }
    buffer_append(body, "}", 1);
}

void batch_append_results(const struct batch *batch, bool names_fields, struct buffer *body)
{
    buffer_append_string(body, "{\"results\":[");
    for (size_t i = 0; i < batch->count; i++)
        render_result(&batch->entries[i], names_fields, body);
    buffer_append_string(body, "]}");
}
