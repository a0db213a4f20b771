/* Finds the QSOs of all records in a transaction together, so that the order of the records does
 * not matter. The search begins with QSOs that are known by an id, continues with known records,
 * and ends with similar QSOs. joining.c saves the records. */
#include "transfer/matching.h"

#include "adif/notes.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "base/datetime.h"
#include "base/number_set.h"
#include "base/table.h"
#include "base/text.h"
#include "qso/contact.h"
#include "qso/contact_pairs.h"
#include "store/log/known.h"
#include "store/log/room.h"
#include "transfer/matching_content.h"
#include "transfer/matching_ids.h"
#include "transfer/matching_own.h"
#include "transfer/matching_places.h"
#include "transfer/matching_state.h"
#include "transfer/repeated.h"

#define ROOM_BYTES 65536 /* number of bytes for which space is made in one step */

struct matching *matching_create(struct store *store, const struct identity *member,
                                 const struct matching_source *source, bool keeps,
                                 struct arena *arena)
{
    struct matching *matching = arena_allocate(arena, sizeof *matching);
    *matching =
        (struct matching){.store = store, .member = member, .source = *source, .keeps = keeps};
    matching->taken = number_set_create(arena);
    matching->came = number_set_create(arena);
    return matching;
}

const struct matching_source *matching_source(const struct matching *matching)
{
    return &matching->source;
}

const struct contact_own *matching_own(const struct matching *matching)
{
    return &matching->own;
}

void matching_take(struct matching *matching, int64_t qso_id)
{
    if (matching->keeps)
        number_set_add(matching->taken, (uint64_t)qso_id);
}

enum store_result matching_make_room(struct matching *matching, struct transaction *transaction,
                                     int64_t bytes, bool *fits)
{
    enum store_result result = STORE_DONE;
    const int64_t member_id = matching->member->member_id;
    if (matching->room < bytes && !matching->is_full) {
        result = store_make_room(transaction, member_id, ROOM_BYTES, fits);
        matching->room = *fits ? ROOM_BYTES : 0;
        matching->is_full = !*fits;
    }
    if (matching->room < bytes) {
        THEN(result, store_make_room(transaction, member_id, bytes, fits));
        matching->room = *fits ? bytes : 0;
    }
    *fits = matching->room >= bytes;
    matching->room -= *fits ? bytes : 0;
    return result;
}

void matching_tell(struct matching *matching, matching_visitor *visit, void *context)
{
    matching->visit = visit;
    matching->context = context;
}

/* Reads the data about the log that matching needs. The data is read again for each transaction,
 * because other writers may have changed the log since the last transaction. */
static enum store_result read_log(struct matching *matching, struct arena *arena)
{
    const int64_t member_id = matching->member->member_id;
    enum store_result result = matching_read_own(matching->store, member_id, arena, &matching->own);
    matching->room = 0;
    matching->is_full = matching->source.writes_more;
    return THEN(result, store_has_long_known(matching->store, member_id, &matching->looks_back));
}

/* Returns the name of the record's source. Programs that share a credential count as separate
 * sources. */
static struct text name_source(const struct matching *matching,
                               const struct matching_record *record, struct arena *arena)
{
    const struct text name = matching->source.name;
    if (!record->program.bytes)
        return name;
    const char *both = arena_print(arena, "%.*s %.*s", (int)name.length, name.bytes,
                                   (int)record->program.length, record->program.bytes);
    struct text source = text_of(both);
    source.length = source.length < KNOWN_SOURCE_MAX ? source.length : KNOWN_SOURCE_MAX;
    return source;
}

static void prepare(const struct matching *matching, struct matching_record *record,
                    struct arena *arena)
{
    const struct mapped *mapped = &record->mapped;
    contact_read(&mapped->qso, mapped->notes.parts[NOTES_NAME], mapped->end_ms, &matching->own,
                 &record->contact);
    const int64_t start_ms = record->contact.start_ms;
    record->key = (struct known_key){start_ms - start_ms % DATETIME_SECOND_MS,
                                     said_mark(mapped, &record->contact)};
    said_read(mapped, &record->said);
    record->state = MATCHING_NEW;
    record->is_own = record->came_before = false;
    record->qso_id = 0;
    record->later = NULL;
    record->source = name_source(matching, record, arena);
    record->said_before = (struct text){0};
}

static void read_records(struct matching_finding *finding)
{
    const struct matching *matching = finding->matching;
    for (size_t i = 0; i < finding->count; i++)
        prepare(matching, finding->records[i], finding->arena);
    repeated_find(finding->records, finding->count, matching->came, finding->arena);
    for (size_t i = 0; matching->visit && i < finding->count; i++)
        repeated_tell(finding->records[i], matching->visit, matching->context);
}

/* Returns whether the record's source has already sent all values in the record. */
static bool was_said(const struct matching_record *record)
{
    for (size_t i = 0; i < SAID_COUNT; i++)
        if (record->said.digests[i] && !said_was_sent(record->said_before, record->said.digests[i]))
            return false;
    return true;
}

static enum store_result settle(struct matching_finding *finding, size_t index)
{
    struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    const size_t at = finding->qso_of[index];
    enum store_result result = STORE_DONE;
    if (record->state == MATCHING_REPEATED || record->state == MATCHING_DEFERRED)
        return STORE_DONE;
    number_set_add(matching->came, record->hash);
    if (at != CONTACT_NONE) {
        record->qso_id = finding->places[at].id;
        number_set_add(matching->taken, (uint64_t)record->qso_id);
    }
    if (at == CONTACT_NONE || finding->remembered[index] != record->qso_id)
        record->said_before = (struct text){0};
    if (at == CONTACT_NONE)
        return STORE_DONE;
    record->state = MATCHING_SAID;
    if (!record->said_before.bytes || record->is_own || !was_said(record)) {
        record->state = MATCHING_STORED;
        result = matching_read_place(finding, at);
        if (result == STORE_DONE)
            record->stored = *finding->places[at].qso;
    }
    return result;
}

enum store_result matching_find(struct matching *matching, struct matching_record *const *records,
                                size_t count, bool is_whole, struct arena *arena)
{
    struct matching_finding finding = {
        .matching = matching, .records = records, .count = count, .arena = arena};
    table_begin(&finding.place_of, arena, sizeof(size_t));
    finding.qso_of = arena_allocate(arena, (count + 1) * sizeof *finding.qso_of);
    finding.remembered = arena_allocate_zeroed(arena, (count + 1) * sizeof *finding.remembered);
    for (size_t i = 0; i < count; i++)
        finding.qso_of[i] = CONTACT_NONE;
    enum store_result result = read_log(matching, arena);
    if (result == STORE_DONE) {
        read_records(&finding);
        result = matching_find_known(&finding);
    }
    THEN(result, matching_find_alike(&finding, is_whole));
    for (size_t i = 0; i < count && result == STORE_DONE; i++)
        result = settle(&finding, i);
    return result;
}
