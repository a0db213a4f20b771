/* Finds and merges doubles. The store finds pairs that are near to each other, src/qso/contact.c
 * decides which of them are one contact. */
#include "transfer/doubles.h"

#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "base/text_hex.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/edits.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "store/storage.h"
#include "transfer/matching.h"

/* A QSO of a pair, and the contact that it describes. */
struct side {
    struct qso qso;
    struct contact contact;
};

static enum store_result read_side(struct store *store, int64_t member_id, int64_t id,
                                   int64_t length_ms, const struct contact_own *own,
                                   struct arena *arena, struct side *out)
{
    enum store_result result = store_find_own_qso(store, member_id, id, arena, &out->qso);
    if (result == STORE_DONE)
        contact_read(&out->qso, notes_of_qso(&out->qso).parts[NOTES_NAME],
                     out->qso.values[FIELD_QSO_AT].integer + length_ms, own, &out->contact);
    return result;
}

/* STORE_CONFLICT: they are two contacts. */
static enum store_result compare(struct store *store, int64_t member_id, const struct side *one,
                                 const struct side *other)
{
    bool are_apart = false;
    if (contact_compare(&one->contact, &other->contact) == CONTACT_ANOTHER)
        return STORE_CONFLICT;
    enum store_result result =
        store_have_ids_of_one_program(store, member_id, one->qso.values[FIELD_ID].integer,
                                      other->qso.values[FIELD_ID].integer, &are_apart);
    return result == STORE_DONE && are_apart ? STORE_CONFLICT : result;
}

/* -- What remains ------------------------------------------------------------------------------ */

/* Notes of both: parts that the kept QSO does not have, and its own text before the other's. False:
 * they would be too long, or nothing comes to them. */
static bool join_notes(const struct qso *kept, const struct qso *gone, struct arena *arena,
                       struct value *out)
{
    struct notes notes = notes_of_qso(kept);
    const struct notes more = notes_of_qso(gone);
    bool adds = false;
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        const struct text had = notes.parts[part], has = more.parts[part];
        if (!has.bytes || text_equals(had, has) || (had.bytes && part != NOTES_BODY))
            continue;
        notes.parts[part] = had.bytes ? text_of(arena_print(arena, "%.*s\n%.*s", (int)had.length,
                                                            had.bytes, (int)has.length, has.bytes))
                                      : has;
        adds = true;
    }
    return adds && !values_parse(&fields[FIELD_NOTES], notes_join(&notes, arena), arena, out);
}

static void join(const struct qso *kept, const struct qso *gone, const struct contact_own *own,
                 struct arena *arena, struct qso *out)
{
    const struct mapped record = {.qso = *gone, .notes = notes_of_qso(gone)};
    const struct merging merging = {
        .record = &record, .stored = kept, .way = MERGE_FILL, .own = own};
    struct value notes = {0};
    merge_record(&merging, arena, out);
    out->values[FIELD_CLIENT_ID] = kept->values[FIELD_CLIENT_ID];
    if (kept->values[FIELD_CLIENT_ID].state != VALUE_PRESENT)
        out->values[FIELD_ID] = kept->values[FIELD_ID];
    if (join_notes(kept, gone, arena, &notes))
        out->values[FIELD_NOTES] = notes;
}

/* PoLo would be given a QSO that it has sent as deleted. */
static enum store_result is_kept(struct store *store, int64_t member_id, const struct side *one,
                                 const struct side *other, bool *out)
{
    bool is_of_polo[2] = {false, false};
    const struct side *sides[] = {one, other};
    enum store_result result = STORE_DONE;
    for (int i = 0; i < 2; i++) {
        const struct text client_id = qso_text(&sides[i]->qso, FIELD_CLIENT_ID);
        if (client_id.bytes)
            THEN(result, store_is_of_polo(store, member_id, client_id, &is_of_polo[i]));
    }
    *out = is_of_polo[0] != is_of_polo[1]
               ? is_of_polo[0]
               : one->qso.values[FIELD_ID].integer < other->qso.values[FIELD_ID].integer;
    return result;
}

/* -- Listing ----------------------------------------------------------------------------------- */

struct listing_of_doubles {
    struct store *store;
    int64_t member_id;
    struct contact_own own;
    doubles_visitor *visit;
    void *context;
};

/* The QSO that a merge would leave, with the values that saving keeps. */
static void visit_pair(const struct listing_of_doubles *listing, const struct qso *older,
                       const struct qso *newer, bool keeps_older, struct arena *arena)
{
    struct qso merged;
    const struct qso *kept = keeps_older ? older : newer, *gone = keeps_older ? newer : older;
    join(kept, gone, &listing->own, arena, &merged);
    merged.values[FIELD_ID] = kept->values[FIELD_ID];
    merged.values[FIELD_CREATED_AT] = kept->values[FIELD_CREATED_AT];
    listing->visit(listing->context, &(struct doubles_pair){older, newer, &merged});
}

static enum store_result tell_pair(const struct listing_of_doubles *listing,
                                   const struct near_pair *pair)
{
    struct arena arena = {0};
    struct side one, other;
    bool keeps_one = true;
    enum store_result result = read_side(listing->store, listing->member_id, pair->one,
                                         pair->length_ms, &listing->own, &arena, &one);
    THEN(result, read_side(listing->store, listing->member_id, pair->other, 0, &listing->own,
                           &arena, &other));
    THEN(result, compare(listing->store, listing->member_id, &one, &other));
    THEN(result, is_kept(listing->store, listing->member_id, &one, &other, &keeps_one));
    if (result == STORE_DONE)
        visit_pair(listing, &one.qso, &other.qso, keeps_one, &arena);
    arena_free(&arena);
    return result == STORE_CONFLICT ? STORE_DONE : result;
}

/* If there are too many pairs, the slot of the last is left to the next part, unless the part is
 * that slot alone. */
static size_t cut(const struct near_pair *pairs, size_t count, int64_t *below, bool *has_more)
{
    if (count < DOUBLES_PAIRS_MAX)
        return count;
    const int64_t last = pairs[count - 1].slot;
    *has_more = true;
    *below = last;
    if (pairs[0].slot == last)
        return count;
    while (pairs[count - 1].slot == last)
        count--;
    *below = last + 1;
    return count;
}

enum store_result doubles_list(struct store *store, int64_t member_id, int64_t *below,
                               bool *has_more, doubles_visitor *visit, void *context)
{
    struct arena arena = {0};
    struct listing_of_doubles listing = {
        .store = store, .member_id = member_id, .visit = visit, .context = context};
    struct near_pair *pairs = NULL;
    size_t count = 0;
    int64_t next = -DOUBLES_BEGIN;
    enum store_result result =
        store_find_slot_below(store, member_id, *below, DOUBLES_QSOS_MAX, &next);
    *has_more = result == STORE_DONE;
    if (result == STORE_NONE)
        result = STORE_DONE;
    THEN(result, matching_read_own(store, member_id, &arena, &listing.own));
    THEN(result, store_list_near_pairs(store, member_id, next - 1, *below, DOUBLES_PAIRS_MAX,
                                       &arena, &pairs, &count));
    *below = next;
    if (result == STORE_DONE)
        count = cut(pairs, count, below, has_more);
    for (size_t i = 0; i < count && result == STORE_DONE; i++)
        result = tell_pair(&listing, &pairs[i]);
    arena_free(&arena);
    return result;
}

/* -- Merging ----------------------------------------------------------------------------------- */

static void find_end(void *context, const struct known_row *row)
{
    int64_t *end_ms = context;
    if (row->until_ms > *end_ms)
        *end_ms = row->until_ms;
}

static enum store_result read_whole(struct transaction *transaction, int64_t member_id, int64_t id,
                                    const struct contact_own *own, struct arena *arena,
                                    struct side *out)
{
    struct store *store = transaction->store;
    int64_t end_ms = 0;
    enum store_result result = store_list_known(store, member_id, id, find_end, &end_ms);
    THEN(result, read_side(store, member_id, id, 0, own, arena, out));
    if (result == STORE_DONE && end_ms > out->contact.start_ms)
        contact_read(&out->qso, out->contact.name, end_ms, own, &out->contact);
    return result;
}

/* Extra fields, if the kept QSO has none. */
static enum store_result join_leftovers(struct transaction *transaction,
                                        const struct identity *member, const struct qso *merged,
                                        const struct doubles_merged *pair, struct arena *arena,
                                        struct text *out)
{
    struct store *store = transaction->store;
    struct text kept = {0}, gone = {0};
    enum store_result result =
        store_find_leftovers(store, member->member_id, pair->kept, arena, &kept);
    THEN(result, store_find_leftovers(store, member->member_id, pair->deleted, arena, &gone));
    *out = (struct text){0};
    if (result == STORE_DONE && kept.length == 0 && gone.length > 0)
        *out = mapping_filter_leftovers(merged, gone, member->callsign, arena);
    return result;
}

/* Tells clients that have the other clientId, and old files, which QSO it is now. */
static enum store_result keep_alias(struct transaction *transaction, int64_t member_id,
                                    const struct qso *gone, int64_t kept)
{
    char digits[2 * UUID_BYTES];
    const struct text client_id = qso_text(gone, FIELD_CLIENT_ID);
    if (!client_id.bytes)
        return STORE_DONE;
    text_format_hex(client_id.bytes, UUID_BYTES, digits);
    return store_write_program_id(
        transaction, member_id, kept,
        (struct contact_id){text_of(CONTACT_QSOSYNC), {digits, sizeof digits}});
}

/* The other QSO is deleted first, so that the QSO that confirmed it can confirm the kept one. */
static enum store_result merge(struct transaction *transaction, const struct identity *member,
                               const struct side *kept, const struct side *gone,
                               const struct contact_own *own, struct arena *arena,
                               struct doubles_merged *out)
{
    struct qso merged;
    struct text leftovers;
    struct saved_qso saved;
    join(&kept->qso, &gone->qso, own, arena, &merged);
    out->kept = kept->qso.values[FIELD_ID].integer;
    out->deleted = gone->qso.values[FIELD_ID].integer;
    store_describe_work(transaction, WORK_MERGE, qso_text(&kept->qso, FIELD_CALLSIGN_WORKED));
    enum store_result result = join_leftovers(transaction, member, &merged, out, arena, &leftovers);
    THEN(result, qsos_delete_own(transaction, member, out->deleted));
    THEN(result, store_save_qso(transaction, member, &merged, leftovers, &saved));
    THEN(result, store_move_known(transaction, member->member_id, out->deleted, out->kept));
    out->act = transaction->edit.act;
    return THEN(result, keep_alias(transaction, member->member_id, &gone->qso, out->kept));
}

enum store_result doubles_merge(struct transaction *transaction, const struct identity *member,
                                int64_t one, int64_t other, struct doubles_merged *out)
{
    struct arena arena = {0};
    struct contact_own own;
    struct side sides[2];
    bool keeps_first = true;
    const int64_t member_id = member->member_id;
    enum store_result result = one == other ? STORE_CONFLICT : STORE_DONE;
    THEN(result, matching_read_own(transaction->store, member_id, &arena, &own));
    THEN(result, read_whole(transaction, member_id, one, &own, &arena, &sides[0]));
    THEN(result, read_whole(transaction, member_id, other, &own, &arena, &sides[1]));
    THEN(result, compare(transaction->store, member_id, &sides[0], &sides[1]));
    THEN(result, is_kept(transaction->store, member_id, &sides[0], &sides[1], &keeps_first));
    THEN(result,
         merge(transaction, member, &sides[!keeps_first], &sides[keeps_first], &own, &arena, out));
    arena_free(&arena);
    return result;
}

/* -- Pairs that are two contacts --------------------------------------------------------------- */

static enum store_result find_both(struct store *store, int64_t member_id, int64_t one,
                                   int64_t other, struct arena *arena)
{
    struct qso qso;
    enum store_result result = store_find_own_qso(store, member_id, one, arena, &qso);
    return THEN(result, store_find_own_qso(store, member_id, other, arena, &qso));
}

static enum store_result tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                    int64_t other)
{
    struct store *store = transaction->store;
    bool are_apart = false, fits = true;
    enum store_result result =
        store_have_ids_of_one_program(store, member_id, one, other, &are_apart);
    if (result != STORE_DONE || are_apart)
        return result;
    result = store_make_room(transaction, member_id, 2 * (STORAGE_OF_ID + 1), &fits);
    if (result == STORE_DONE && !fits)
        return STORE_FULL;
    return THEN(result, store_tell_apart(transaction, member_id, one, other));
}

enum store_result doubles_set_apart(struct transaction *transaction, const struct identity *member,
                                    int64_t one, int64_t other, bool are_apart)
{
    struct arena arena = {0};
    const int64_t member_id = member->member_id;
    enum store_result result = one == other ? STORE_CONFLICT : STORE_DONE;
    THEN(result, find_both(transaction->store, member_id, one, other, &arena));
    THEN(result, are_apart ? tell_apart(transaction, member_id, one, other)
                           : store_tell_no_longer_apart(transaction, member_id, one, other));
    arena_free(&arena);
    return result;
}
