/* Saves the entries in a batch. src/store saves a QSO and searches for the other side of the
 * contact. The caller checks who may write, and begins the transaction. */
#include "transfer/batch.h"

#include "base/arena.h"
#include "qso/qso.h"
#include "store/log/qsos.h"
#include "store/log/qsos_save.h"
#include "transfer/joining.h"
#include "transfer/matching.h"
#include "transfer/matching_source.h"

/* Rejects an entry if the stored QSO is newer than the entry's base. */
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

/* The data that is needed while a batch is saved. */
struct saving {
    struct transaction *transaction;
    const struct identity *member;
    struct batch *batch;
    struct arena *arena;
    struct matching *matching; /* for the entries whose QSOs are found by matching */
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

/* Finds the QSOs of all entries together. If an entry repeats another entry that is saved, the
 * saved entry counts for both. */
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

/* Reads the stored QSO to which an entry belongs. */
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
    entry->is_matched = entry->is_unchanged = true; /* until a change is saved */
    entry->matched_client_id = record->stored.values[FIELD_CLIENT_ID];
    entry->saved =
        (struct saved_qso){.id = record->qso_id,
                           .spotted_at_ms = qso_integer_or(&record->stored, FIELD_SPOTTED_AT, 0)};
    return STORE_DONE;
}

static enum store_result save_match(struct saving *saving, struct batch_entry *entry)
{
    const struct joining joining = {.transaction = saving->transaction,
                                    .matching = saving->matching,
                                    .writer = saving->member,
                                    .arena = saving->arena};
    struct joined joined;
    enum store_result result = STORE_DONE;
    if (entry->record->state != MATCHING_NEW)
        result = read_stored(saving, entry);
    THEN(result, joining_save(&joining, entry->record, &joined));
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

/* Copies the result of the entry that counts instead of this repeated entry. */
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
