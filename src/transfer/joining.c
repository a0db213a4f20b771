/* Saves records. An upload token corrects only QSOs that no other writer has written. new_values.c
 * decides which values in a record are new; src/adif/merge.c merges a record with a QSO. */
#include "transfer/joining.h"

#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/said.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/uuid.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/qsos_save.h"
#include "store/storage.h"
#include "transfer/joined_values.h"
#include "transfer/new_values.h"

/* The work for one record. */
struct work {
    const struct joining *of;
    struct matching_record *record;
    struct merging merging;
    struct new_values new_values;
    /* extra fields that replace the stored extra fields; no text: the stored fields are kept */
    struct text leftovers;
};

/* Chooses how to merge. An upload token is entered in many programs, so the holder of a token must
 * not be able to remove values. */
static enum store_result choose_way(struct work *work)
{
    const struct identity *writer = work->of->writer;
    int64_t token = 0;
    enum store_result result = STORE_DONE;
    if (matching_source(work->of->matching)->only_fills) {
        if (work->merging.stored)
            result =
                store_find_token_of_qso(work->of->transaction->store, work->record->qso_id, &token);
        work->merging.way = token == writer->key_number ? MERGE_ADD : MERGE_FILL;
    } else {
        work->merging.way = work->record->is_own ? MERGE_REPLACE : MERGE_ADD;
    }
    return result;
}

/* Chooses the extra fields. A record's extra fields replace all stored extra fields, except for
 * fields that contradict the joined QSO. An upload token adds extra fields to another writer's QSO
 * only if the QSO has no extra fields, and never adds standard fields. */
static enum store_result choose_leftovers(struct work *work, const struct qso *merged)
{
    const struct merging *merging = &work->merging;
    struct arena *arena = work->of->arena;
    struct text brought = work->record->mapped.leftovers, kept = {0};
    const bool is_new =
        merging->way == MERGE_REPLACE || work->new_values.found.is_new[SAID_LEFTOVERS];
    work->leftovers = (struct text){0};
    if (brought.length == 0 || (merging->stored && !is_new))
        return STORE_DONE;
    if (!merging->stored) {
        work->leftovers = brought;
        return STORE_DONE;
    }
    enum store_result result =
        store_find_leftovers(work->of->transaction->store, work->of->writer->member_id,
                             work->record->qso_id, arena, &kept);
    if (result != STORE_DONE || text_equals(brought, kept) ||
        (merging->way == MERGE_FILL && kept.length > 0))
        return result;
    const struct text member = work->of->writer->callsign;
    brought = merging->way == MERGE_FILL ? leftovers_select(brought, 0, arena)
                                         : mapping_filter_leftovers(merged, brought, member, arena);
    kept = mapping_filter_leftovers(merged, kept, member, arena);
    if (brought.length > 0 && !text_equals(brought, kept))
        work->leftovers = brought;
    return STORE_DONE;
}

static enum store_result has_room(const struct work *work, int64_t bytes, bool *fits)
{
    return matching_make_room(work->of->matching, work->of->transaction, bytes, fits);
}

/* Leaves out the extra fields if there is no storage space for them. The fields then count as never
 * sent, so that they can be sent again. */
static enum store_result make_room(struct work *work, struct joined *out)
{
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (work->leftovers.length > 0)
        result = has_room(work, STORAGE_OF_LEFTOVERS + (int64_t)work->leftovers.length, &fits);
    if (fits)
        return result;
    out->has_no_room = true;
    work->leftovers = (struct text){0};
    work->record->said.digests[SAID_LEFTOVERS] = 0;
    return result;
}

static void choose_client_id(const struct work *work, struct qso *merged)
{
    struct value *client_id = &merged->values[FIELD_CLIENT_ID];
    const struct qso *stored = work->merging.stored;
    *client_id = work->record->mapped.qso.values[FIELD_CLIENT_ID];
    if (stored) {
        *client_id = stored->values[FIELD_CLIENT_ID];
        if (client_id->state != VALUE_PRESENT)
            merged->values[FIELD_ID] = stored->values[FIELD_ID];
    } else if (client_id->state != VALUE_PRESENT) {
        unsigned char *made = arena_allocate(work->of->arena, UUID_BYTES);
        uuid_make_random(made);
        *client_id = (struct value){
            .text = (const char *)made, .length = UUID_BYTES, .state = VALUE_PRESENT};
    }
}

/* Requests a spot if the record's sendSpot is true. Only the API's clients send sendSpot. Returns
 * whether the request is new: the QSO is not stored, or the stored QSO has no spot. */
static bool choose_spot(const struct work *work, struct qso *merged)
{
    const struct value *send_spot = &work->record->mapped.qso.values[FIELD_SEND_SPOT];
    const struct qso *stored = work->merging.stored;
    const bool wants_spot = send_spot->state == VALUE_PRESENT && send_spot->integer;
    if (wants_spot)
        merged->values[FIELD_SEND_SPOT] = *send_spot;
    return wants_spot && (!stored || stored->values[FIELD_SPOTTED_AT].state != VALUE_PRESENT);
}

static enum store_result save_qso(const struct work *work, const struct qso *qso,
                                  struct joined *out)
{
    struct identity writer = *work->of->writer;
    if (writer.is_station)
        writer.maker = work->record->mapped.maker;
    return store_save_qso(work->of->transaction, &writer, qso, work->leftovers, &out->saved);
}

/* Stores the record's ids. Ids from earlier records are already stored. */
static enum store_result remember_ids(const struct work *work, int64_t qso_id)
{
    const struct matching_record *record = work->record;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < record->mapped.id_count && result == STORE_DONE; i++) {
        const struct contact_id id = record->mapped.ids[i];
        bool fits = false;
        if (said_holds(record->said_before, record->said.digests[(size_t)SAID_IDS + i]))
            continue;
        result = has_room(work, STORAGE_OF_ID + (int64_t)id.id.length, &fits);
        if (fits)
            THEN(result, store_write_program_id(work->of->transaction, work->of->writer->member_id,
                                                qso_id, id));
    }
    return result;
}

static enum store_result remember(const struct work *work, int64_t qso_id, bool is_new,
                                  struct joined *out)
{
    const struct matching_record *record = work->record;
    const struct contact *contact = &record->contact;
    unsigned char digests[SAID_BYTES_MAX];
    _Static_assert(SAID_BYTES_MAX <= KNOWN_SAID_MAX, "the schema has room for all of it");
    const bool was_long = contact->end_ms - contact->start_ms > CONTACT_WINDOW_MS;
    const struct known_row row = {.key = record->key,
                                  .source = record->source,
                                  .until_ms = was_long ? contact->end_ms : 0,
                                  .said = said_write(&record->said, digests)};
    bool fits = false;
    enum store_result result = has_room(work, STORAGE_OF_RECORD + (int64_t)row.said.length, &fits);
    out->is_forgotten = !fits;
    out->writes = out->writes || fits;
    if (fits)
        THEN(result, new_values_withdraw(&work->new_values));
    if (fits)
        THEN(result, store_write_known(work->of->transaction, work->of->writer->member_id, qso_id,
                                       is_new, &row));
    return THEN(result, remember_ids(work, qso_id));
}

enum store_result joining_save(const struct joining *joining, struct matching_record *record,
                               struct joined *out)
{
    struct work work = {.of = joining,
                        .record = record,
                        .new_values = {.transaction = joining->transaction,
                                       .member_id = joining->writer->member_id,
                                       .record = record,
                                       .arena = joining->arena}};
    struct qso merged;
    work.merging =
        (struct merging){.record = &record->mapped,
                         .stored = record->state == MATCHING_STORED ? &record->stored : NULL,
                         .new_values = &work.new_values.found,
                         .own = matching_own(joining->matching)};
    *out = (struct joined){.is_new = !work.merging.stored};
    enum store_result result =
        new_values_find(&work.new_values, matching_source(joining->matching)->is_one_program);
    THEN(result, choose_way(&work));
    if (result != STORE_DONE)
        return result;
    bool differs = merge_record(&work.merging, joining->arena, &merged);
    choose_client_id(&work, &merged);
    differs = choose_spot(&work, &merged) || differs;
    result = choose_leftovers(&work, &merged);
    THEN(result, make_room(&work, out));
    if (result == STORE_DONE && (differs || work.leftovers.length > 0)) {
        out->writes = out->is_changed = true;
        result = save_qso(&work, &merged, out);
    }
    if (result != STORE_DONE)
        return result;
    if (work.merging.stored)
        out->is_corrected =
            joined_values_compare(&work.merging, &merged, &joining->watch, joining->arena);
    if (out->is_new)
        matching_take(joining->matching, out->saved.id);
    const int64_t qso_id = out->is_new ? out->saved.id : record->qso_id;
    if (new_values_is_remembered(record))
        return out->is_changed ? remember_ids(&work, qso_id) : STORE_DONE;
    new_values_mark_ignored(&work.new_values, &work.merging, &merged, work.leftovers.length > 0);
    return remember(&work, qso_id, out->is_new, out);
}
