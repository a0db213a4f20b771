/* Finds repeated records by hashes. Records that agree in all values that identify a contact count
 * as one record, as do records that share a program's id or our clientId. */
#include "transfer/repeated.h"

#include "adif/rows.h"
#include "adif/said.h"
#include "base/table.h"
#include "base/text_hash.h"

/* Length of the parts into which time is divided to find close contacts: contacts that are close in
 * time share at least one part. */
#define PART_MS INT64_C(600000)

void repeated_remove_id(struct matching_record *record, size_t index)
{
    const size_t last = --record->mapped.id_count;
    uint32_t *digests = &record->said.digests[SAID_IDS];
    record->mapped.ids[index] = record->mapped.ids[last];
    digests[index] = digests[last];
    digests[last] = 0;
}

static uint64_t hash_text(uint64_t hash, struct text text)
{
    const unsigned char end = 0;
    return text_hash(text_hash(hash, text.bytes, text.length), &end, 1);
}

static uint64_t hash_id(uint64_t hash, struct contact_id id)
{
    return hash_text(hash_text(hash, id.program), id.id);
}

/* Returns our clientId; no text if the record does not have our clientId. If a record has our
 * clientId, no other value counts. */
static struct text read_client_id(const struct matching_record *record)
{
    const struct text none = {0};
    return record->takes_id ? none : qso_text(&record->mapped.qso, FIELD_CLIENT_ID);
}

static uint64_t hash_record(const struct matching_record *record)
{
    const struct mapped *mapped = &record->mapped;
    const struct text client_id = read_client_id(record);
    if (client_id.bytes)
        return hash_text(TEXT_HASH_START, client_id);
    uint64_t hash = text_hash(TEXT_HASH_START, &record->key, sizeof record->key);
    hash = text_hash(hash, &mapped->id, sizeof mapped->id);
    for (size_t i = 0; i < mapped->id_count; i++)
        hash = hash_id(hash, mapped->ids[i]);
    return hash;
}

static struct matching_record **find_entry(struct table *table, uint64_t key)
{
    return table_at(table, (struct text){(const char *)&key, sizeof key});
}

/* Finds a later record with one of this record's ids. If the later record is of another contact,
 * the id is removed from this record. */
static struct matching_record *find_by_id(struct table *ids, struct matching_record *record)
{
    const struct mapped *mapped = &record->mapped;
    for (size_t i = 0; i < mapped->id_count; i++) {
        struct matching_record **later = find_entry(ids, hash_id(TEXT_HASH_START, mapped->ids[i]));
        if (*later && contact_may_share(mapped->ids[i], &record->contact, &(*later)->contact))
            return *later;
        if (*later)
            repeated_remove_id(record, i--);
        else
            *later = record;
    }
    return NULL;
}

void repeated_find(struct matching_record *const *records, size_t count,
                   const struct number_set *came, struct arena *arena)
{
    struct table ids, hashes;
    table_begin(&ids, arena, sizeof(struct matching_record *));
    table_begin(&hashes, arena, sizeof(struct matching_record *));
    for (size_t i = count; i-- > 0;) {
        struct matching_record *record = records[i];
        record->later = find_by_id(&ids, record);
        record->hash = hash_record(record);
        record->came_before = number_set_has(came, record->hash);
        struct matching_record **same = find_entry(&hashes, record->hash);
        if (!record->later)
            record->later = *same;
        if (record->later)
            record->state = MATCHING_REPEATED;
        else
            *same = record;
    }
}

void repeated_tell(const struct matching_record *record, matching_visitor *visit, void *context)
{
    const struct contact *contact = &record->contact;
    const struct mapped *mapped = &record->mapped;
    const struct text client_id = read_client_id(record);
    if (client_id.bytes)
        visit(context, record, 'c', hash_text(TEXT_HASH_START, client_id));
    for (size_t i = 0; i < mapped->id_count; i++)
        visit(context, record, 'i', hash_id(TEXT_HASH_START, mapped->ids[i]));
    uint64_t station = hash_text(TEXT_HASH_START, match_text(&contact->worked));
    station = text_hash(station, &contact->band, sizeof contact->band);
    const int64_t first = (contact->start_ms - CONTACT_WINDOW_MS / 2) / PART_MS;
    const int64_t last = (contact->end_ms + CONTACT_WINDOW_MS / 2) / PART_MS;
    for (int64_t part = first; part <= last; part++)
        visit(context, record, 't', text_hash(station, &part, sizeof part));
}
