/* Reads the entries in a batch. src/qso/entry.c reads an entry's QSO; this file reads baseSyncedAt,
 * and the values that are used to match the entry with the log. */
#include "transfer/batch.h"

#include "adif/notes.h"
#include "adif/said_origin.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "transfer/matching_record.h"
#include "base/text.h"
#include "json/list.h"
#include "qso/entry.h"
#include "qso/fields.h"

/* Numbers of an entry's fields that are not fields of a QSO. */
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

/* Reads baseSyncedAt. A null value counts as absent. */
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

static bool is_missing(const struct json_value *sent)
{
    return sent->kind == JSON_MISSING || sent->kind == JSON_NULL;
}

/* Reads the program's name and the program's id for the QSO, in the format in which both are
 * stored. */
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

/* Creates a record that contains only the values that are present. */
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

/* Reads all entries before the writer lock is acquired, so that no writer waits while another
 * writer's JSON is parsed. */
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
