/* Decides how to store each record from a phone. Values that PoLo does not have stay unchanged in
 * the log. Values that the log does not have stay in the stored record. */
#include "transfer/polo.h"

#include <string.h>

#include "adif/merge.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/fields.h"
#include "qso/qso.h"
#include "store/log/polo.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "transfer/joining.h"
#include "transfer/matching.h"
#include "transfer/matching_source.h"

/* The fields of a QSO that PoLo also has. */
static const enum field_index known[] = {
    FIELD_BAND,       FIELD_QSO_AT,          FIELD_FREQUENCY,         FIELD_CHANNEL,
    FIELD_MODE,       FIELD_CALLSIGN_WORKED, FIELD_OPERATOR_CALLSIGN, FIELD_DX_LOCATOR,
    FIELD_MY_LOCATOR, FIELD_TX_POWER,        FIELD_RST_SENT,          FIELD_RST_RECEIVED,
    FIELD_NOTES,
};

struct saving {
    struct transaction *transaction;
    const struct identity *member;
    const struct polo_request *request;
    struct matching *matching;
};

enum choice { CHOICE_TAKE, CHOICE_KNOWN, CHOICE_OLDER };

/* Returns whether the phone still has a QSO under its clientId, although PoLo has the same QSO
 * under another UUID. */
static bool has_other_uuid(const struct polo_entry *entry, const struct polo_state *state)
{
    return state->alias.length > 0 && memcmp(state->alias.bytes, entry->uuid, UUID_BYTES) != 0;
}

/* Decides whether the phone's record or the stored record counts, usually the later record. If the
 * phone has already received the stored record, the phone's record counts, even if the phone's
 * clock is slow. Deleting a missing record is not a change. */
static enum choice choose_record(const struct polo_entry *entry, const struct polo_state *state,
                                 int64_t seen_ms)
{
    const int64_t updated_ms = entry->sent->updated_ms;
    if (entry->kind == POLO_SETTINGS)
        return CHOICE_TAKE;
    if (state->was_sent && updated_ms == state->updated_ms)
        return CHOICE_KNOWN;
    if (entry->sent->is_deleted && (state->place == POLO_NOWHERE || has_other_uuid(entry, state)))
        return CHOICE_KNOWN;
    if (state->place == POLO_NOWHERE)
        return CHOICE_TAKE;
    if (state->was_sent && updated_ms < state->updated_ms)
        return CHOICE_OLDER;
    if (state->stamp_ms <= seen_ms || state->place == POLO_KEPT)
        return CHOICE_TAKE;
    if (state->place == POLO_DELETED)
        return updated_ms < state->stamp_ms ? CHOICE_OLDER : CHOICE_TAKE;
    return !state->is_as_sent && updated_ms < state->edited_ms ? CHOICE_OLDER : CHOICE_TAKE;
}

/* Creates the QSO from the phone's values, and from the stored QSO for all other values (NULL: no
 * stored QSO). */
static void make_qso(const struct polo_entry *entry, const struct polo_state *state,
                     const struct qso *stored, struct arena *arena, struct qso *out)
{
    struct qso sent;
    const struct merging merging = {.record = &entry->record.mapped, .way = MERGE_REPLACE};
    merge_record(&merging, arena, &sent);
    *out = stored ? *stored : sent;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        out->values[known[i]] = sent.values[known[i]];
    const unsigned band = 1U << out->values[FIELD_BAND].integer;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].bands && !(fields[i].bands & band))
            out->values[i].state = VALUE_NULL;
    out->values[FIELD_ID].state = VALUE_OMITTED;
    out->values[FIELD_CLIENT_ID] = (struct value){
        .text = state->client_id.bytes, .length = UUID_BYTES, .state = VALUE_PRESENT};
}

static enum store_result put_qso(const struct saving *saving, const struct polo_entry *entry,
                                 const struct polo_state *state, struct arena *arena)
{
    struct transaction *transaction = saving->transaction;
    struct qso stored, qso;
    struct saved_qso saved;
    enum store_result result =
        store_find_qso(transaction->store, saving->member->member_id,
                       (const unsigned char *)state->client_id.bytes, arena, &stored);
    if (result != STORE_DONE && result != STORE_NONE)
        return result;
    make_qso(entry, state, result == STORE_DONE ? &stored : NULL, arena, &qso);
    return store_save_qso(transaction, saving->member, &qso, (struct text){0}, &saved);
}

/* Returns whether the log can contain the QSO under another UUID. */
static bool may_match(const struct polo_entry *entry, const struct polo_state *state)
{
    return entry->is_for_log && !entry->sent->is_deleted && !state->is_in_log &&
           state->place != POLO_DELETED;
}

/* Finds the match for the entry. If a later entry describes the same QSO, the later entry's match
 * counts. */
static enum store_result find_match(const struct saving *saving, struct polo_entry *entry,
                                    struct arena *arena)
{
    struct matching_record *record = &entry->record;
    enum store_result result = STORE_DONE;
    if (!entry->is_matched)
        result = matching_find(saving->matching, &record, 1, true, arena);
    const struct matching_record *match = record->later ? record->later : record;
    record->state = match->state == MATCHING_SAID ? MATCHING_STORED : match->state;
    record->qso_id = match->qso_id;
    if (record->state == MATCHING_STORED)
        THEN(result, store_find_own_qso(saving->transaction->store, saving->member->member_id,
                                        record->qso_id, arena, &record->stored));
    return result;
}

/* Saves a QSO that is not in the log under its UUID. If the log contains the QSO under another
 * UUID, *keeping refers to the log's QSO. */
static enum store_result join_qso(const struct saving *saving, struct polo_entry *entry,
                                  struct polo_keeping *keeping, struct arena *arena)
{
    struct matching_record *record = &entry->record;
    const struct joining joining = {.transaction = saving->transaction,
                                    .matching = saving->matching,
                                    .writer = saving->member,
                                    .arena = arena};
    struct joined joined;
    enum store_result result = find_match(saving, entry, arena);
    record->mapped.id_count = 0; /* The id is kept with PoLo's record. */
    THEN(result, joining_save(&joining, record, &joined));
    if (result != STORE_DONE || record->state == MATCHING_NEW)
        return result;
    keeping->uuid = (const unsigned char *)record->stored.values[FIELD_CLIENT_ID].text;
    keeping->alias = (struct text){(const char *)entry->uuid, UUID_BYTES};
    keeping->has_more = true;
    return store_polo_forget(saving->transaction, keeping->member_id, entry->uuid);
}

/* Saves a QSO in the log. *reason becomes the reason why the log rejects the QSO, or NULL if the
 * QSO is saved. */
static enum store_result save_qso(const struct saving *saving, struct polo_entry *entry,
                                  const struct polo_state *state, struct polo_keeping *keeping,
                                  struct arena *arena, const char **reason)
{
    enum store_result result = may_match(entry, state) ? join_qso(saving, entry, keeping, arena)
                                                       : put_qso(saving, entry, state, arena);
    *reason = result == STORE_CONFLICT  ? "another member has a QSO with this UUID"
              : result == STORE_REFUSED ? "a value is out of range"
                                        : NULL;
    return *reason ? STORE_DONE : result;
}

/* Keeps the other UUID, under which a phone receives a QSO that the phone also has under its
 * clientId. */
static void keep_alias(const struct polo_entry *entry, const struct polo_state *state,
                       struct polo_keeping *keeping)
{
    keeping->alias = state->alias;
    if (!has_other_uuid(entry, state))
        return;
    keeping->has_more = keeping->place == POLO_IN_LOG;
    keeping->body = state->body;
}

/* Stores a record that counts. A QSO that the phone has deleted, or moved to another band, is
 * removed from the log. */
static enum store_result take(const struct saving *saving, struct polo_entry *entry,
                              const struct polo_state *state, struct arena *arena)
{
    const struct polo_sent *sent = entry->sent;
    const char *reason = sent->is_deleted ? NULL : entry->reason;
    struct polo_keeping keeping = {.member_id = saving->member->member_id,
                                   .kind = entry->kind,
                                   .uuid = (const unsigned char *)state->client_id.bytes,
                                   .phone = saving->request->phone,
                                   .body = sent->body,
                                   .place = POLO_KEPT,
                                   .updated_ms = sent->updated_ms};
    enum store_result result = STORE_DONE;
    if (sent->is_deleted && (state->is_in_log || state->place == POLO_DELETED))
        keeping.place = POLO_DELETED;
    if (state->is_in_log && (sent->is_deleted || entry->is_elsewhere)) {
        result = store_delete_qso(saving->transaction, saving->member, keeping.uuid);
    } else if (entry->is_for_log && !sent->is_deleted) {
        result = save_qso(saving, entry, state, &keeping, arena, &reason);
        keeping.place = reason ? POLO_KEPT : POLO_IN_LOG;
    }
    if (reason)
        keeping.reason = text_of(reason);
    if (!keeping.alias.bytes)
        keep_alias(entry, state, &keeping);
    if (keeping.has_more) {
        const struct polo_state joined = {.place = POLO_IN_LOG,
                                          .client_id = {(const char *)keeping.uuid, UUID_BYTES}};
        keeping.phone = text_of("");
        THEN(result, store_polo_touch(saving->transaction, keeping.member_id, POLO_QSO, &joined));
    }
    return THEN(result, store_polo_keep(saving->transaction, &keeping, state));
}

static enum store_result choose_for_entry(const struct saving *saving,
                                          const struct polo_entry *entry, struct arena *arena,
                                          struct polo_state *state, enum choice *choice)
{
    const struct polo_query *query = &saving->request->question.queries[entry->kind == POLO_QSO];
    enum store_result result =
        store_polo_find(saving->transaction->store, saving->member->member_id, entry->kind,
                        entry->uuid, arena, state);
    *choice = result == STORE_DONE
                  ? choose_record(entry, state, query->goes_back ? INT64_MIN : query->after_ms)
                  : CHOICE_KNOWN;
    return result;
}

static enum store_result save_entry(const struct saving *saving, struct polo_entry *entry)
{
    struct arena arena = {0};
    struct polo_state state;
    enum choice choice;
    enum store_result result = choose_for_entry(saving, entry, &arena, &state, &choice);
    if (choice == CHOICE_TAKE)
        result = take(saving, entry, &state, &arena);
    else if (choice == CHOICE_OLDER)
        result =
            store_polo_touch(saving->transaction, saving->member->member_id, entry->kind, &state);
    arena_free(&arena);
    return result;
}

/* Matches, in one step, all records that can already be QSOs in the log, because each QSO belongs
 * to only one record. */
static enum store_result match_entries(const struct saving *saving, struct arena *arena)
{
    const struct polo_request *request = saving->request;
    struct matching_record **records =
        arena_allocate(arena, (request->count + 1) * sizeof *records);
    size_t count = 0;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < request->count && result == STORE_DONE; i++) {
        struct polo_entry *entry = &request->entries[i];
        struct arena own = {0};
        struct polo_state state;
        enum choice choice = CHOICE_KNOWN;
        if (entry->is_for_log)
            result = choose_for_entry(saving, entry, &own, &state, &choice);
        entry->is_matched = choice == CHOICE_TAKE && may_match(entry, &state);
        if (entry->is_matched)
            records[count++] = &entry->record;
        arena_free(&own);
    }
    return THEN(result, matching_find(saving->matching, records, count, true, arena));
}

enum store_result polo_save(struct transaction *transaction, const struct identity *member,
                            const struct polo_request *request)
{
    struct arena arena = {0};
    struct matching_source source = matching_source_of_phone(request->phone, &arena);
    const struct saving saving = {
        transaction, member, request,
        matching_create(transaction->store, member, &source, true, &arena)};
    enum store_result result = match_entries(&saving, &arena);
    for (size_t i = 0; i < request->count && result == STORE_DONE; i++)
        result = save_entry(&saving, &request->entries[i]);
    arena_free(&arena);
    return result;
}
