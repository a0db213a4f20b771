/* Finds the QSOs of all records of a transaction together, so that their order does not count. QSOs
 * known by an id come first, then remembered ones, then similar ones. src/qso/contact.c decides
 * when two descriptions are alike, and joining.c saves the records. */
#include "transfer/matching.h"

#include <stdlib.h>
#include <string.h>

#include "adif/notes.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "base/datetime.h"
#include "base/number_set.h"
#include "base/table.h"
#include "base/text_hex.h"
#include "base/uuid.h"
#include "qso/contact_pairs.h"
#include "store/log/edits.h"
#include "store/log/qsos.h"
#include "transfer/repeated.h"

#define ROOM_BYTES 65536  /* freed at once */
#define CANDIDATES_MAX 50 /* QSOs examined with one station at one time */

struct matching {
    struct store *store;
    const struct identity *member;
    struct matching_source source;
    bool keeps;
    struct number_set *taken; /* QSOs that are records of the run */
    struct number_set *came;  /* hashes of records that were found */
    matching_visitor *visit;  /* NULL: not requested */
    void *context;
    /* For the present transaction. */
    struct contact_own own;
    bool looks_back; /* contacts of the log may have been long */
    int64_t room;    /* free bytes for data in addition to QSOs */
    bool is_full;    /* it is asked for each row whether that fits */
};

/* A QSO that a record may be. */
struct place {
    int64_t id;
    bool has_contact;
    struct contact contact;
    const struct qso *qso; /* NULL: not read */
};

struct finding {
    struct matching *matching;
    struct matching_record *const *records;
    size_t count;
    struct arena *arena;
    struct place *places;
    size_t place_count, place_capacity;
    struct table place_of; /* place by the QSO's id */
    struct contact_pair *pairs;
    size_t pair_count, pair_capacity;
    size_t *qso_of, *record_of; /* indexes of these lists, by the places of records and QSOs */
    int64_t *remembered;        /* the QSO known for each record; 0: none */
    size_t first_alike;         /* index of the first place after ids and memory */
};

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

/* -- Data about the log ------------------------------------------------------------------------ */

struct callsigns {
    struct arena *arena;
    struct match_callsign *list;
    size_t count, capacity;
};

static void add_callsign(void *context, struct text callsign)
{
    struct callsigns *callsigns = context;
    struct match_callsign normal;
    callsigns->list = arena_grow(callsigns->arena, callsigns->list, callsigns->count,
                                 &callsigns->capacity, sizeof *callsigns->list);
    match_normalise_callsign(callsign, &normal);
    match_base_callsign(&normal, &callsigns->list[callsigns->count++]);
}

enum store_result matching_read_own(struct store *store, int64_t member_id, struct arena *arena,
                                    struct contact_own *out)
{
    struct callsigns callsigns = {.arena = arena};
    enum store_result result = store_list_own_callsigns(store, member_id, add_callsign, &callsigns);
    *out = (struct contact_own){callsigns.list, callsigns.count};
    return result;
}

/* Others may have written since the last transaction. */
static enum store_result read_log(struct matching *matching, struct arena *arena)
{
    const int64_t member_id = matching->member->member_id;
    enum store_result result = matching_read_own(matching->store, member_id, arena, &matching->own);
    matching->room = 0;
    matching->is_full = matching->source.writes_more;
    return THEN(result, store_has_long_known(matching->store, member_id, &matching->looks_back));
}

/* -- Places and pairs -------------------------------------------------------------------------- */

static size_t find_place(struct finding *finding, int64_t id)
{
    size_t *known = table_at(&finding->place_of, (struct text){(const char *)&id, sizeof id});
    if (*known > 0)
        return *known - 1;
    finding->places = arena_grow(finding->arena, finding->places, finding->place_count,
                                 &finding->place_capacity, sizeof *finding->places);
    finding->places[finding->place_count] = (struct place){.id = id};
    *known = ++finding->place_count;
    return *known - 1;
}

static void describe_place(const struct finding *finding, const struct qso *qso, int64_t length_ms,
                           struct contact *out)
{
    contact_read(qso, notes_of_qso(qso).parts[NOTES_NAME],
                 qso->values[FIELD_QSO_AT].integer + length_ms, &finding->matching->own, out);
}

static enum store_result read_place(struct finding *finding, size_t index)
{
    const struct matching *matching = finding->matching;
    struct place *place = &finding->places[index];
    if (place->qso)
        return STORE_DONE;
    struct qso *qso = arena_allocate(finding->arena, sizeof *qso);
    enum store_result result = store_find_own_qso(matching->store, matching->member->member_id,
                                                  place->id, finding->arena, qso);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    place->qso = qso;
    if (!place->has_contact)
        describe_place(finding, qso, 0, &place->contact);
    place->has_contact = true;
    return STORE_DONE;
}

/* For a QSO that the record may be, if only in another run. */
static size_t find_place_for(struct finding *finding, size_t record, int64_t id)
{
    const struct matching *matching = finding->matching;
    if (matching->visit)
        matching->visit(matching->context, finding->records[record], 'q', (uint64_t)id);
    return find_place(finding, id);
}

static void add_pair(struct finding *finding, size_t record, size_t place, enum contact_rank rank)
{
    finding->pairs = arena_grow(finding->arena, finding->pairs, finding->pair_count,
                                &finding->pair_capacity, sizeof *finding->pairs);
    finding->pairs[finding->pair_count++] = (struct contact_pair){
        .record = record, .qso = place, .rank = rank, .age = finding->places[place].id};
}

static int64_t apart_ms(const struct finding *finding, const struct contact_pair *pair)
{
    return llabs(finding->places[pair->qso].contact.start_ms -
                 finding->records[pair->record]->contact.start_ms);
}

static void assign(struct finding *finding)
{
    size_t *record_of = arena_allocate(finding->arena, (finding->place_count + 1) * sizeof(size_t));
    for (size_t i = 0; i < finding->place_count; i++)
        record_of[i] = CONTACT_NONE;
    for (size_t i = 0; i < finding->count; i++)
        if (finding->qso_of[i] != CONTACT_NONE)
            record_of[finding->qso_of[i]] = i;
    contact_assign(finding->pairs, finding->pair_count, finding->qso_of, record_of);
    finding->record_of = record_of;
    finding->pair_count = 0;
}

/* -- Reading records --------------------------------------------------------------------------- */

/* Programs that share a credential count as separate sources. */
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

static void read_records(struct finding *finding)
{
    const struct matching *matching = finding->matching;
    for (size_t i = 0; i < finding->count; i++)
        prepare(matching, finding->records[i], finding->arena);
    repeated_find(finding->records, finding->count, matching->came, finding->arena);
    for (size_t i = 0; matching->visit && i < finding->count; i++)
        repeated_tell(finding->records[i], matching->visit, matching->context);
}

/* -- By ids and by memory ---------------------------------------------------------------------- */

/* A QSO that was merged into another one. A file that has it still says nothing of the other. */
static enum store_result find_merged(struct finding *finding, size_t index)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    char digits[2 * UUID_BYTES];
    int64_t id;
    text_format_hex(record->mapped.qso.values[FIELD_CLIENT_ID].text, UUID_BYTES, digits);
    enum store_result result = store_find_program_id(
        matching->store, matching->member->member_id,
        (struct contact_id){text_of(CONTACT_QSOSYNC), {digits, sizeof digits}}, &id);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    if (record->takes_id) {
        add_pair(finding, index, find_place_for(finding, index, id), CONTACT_BY_ID);
    } else {
        record->state = MATCHING_SAID;
        record->qso_id = id;
    }
    return STORE_DONE;
}

static enum store_result find_client_id(struct finding *finding, size_t index)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    struct value *client_id = &record->mapped.qso.values[FIELD_CLIENT_ID];
    struct qso qso;
    if (client_id->state != VALUE_PRESENT)
        return STORE_DONE;
    enum store_result result =
        store_find_qso(matching->store, matching->member->member_id,
                       (const unsigned char *)client_id->text, finding->arena, &qso);
    if (result != STORE_DONE && result != STORE_NONE && result != STORE_CONFLICT)
        return result;
    record->is_own = !record->takes_id && result != STORE_CONFLICT;
    if (result == STORE_NONE)
        return find_merged(finding, index);
    if (result == STORE_DONE)
        add_pair(finding, index, find_place_for(finding, index, qso.values[FIELD_ID].integer),
                 CONTACT_BY_ID);
    else if (!record->takes_id)
        client_id->state = VALUE_OMITTED;
    return STORE_DONE;
}

/* A QSO from before synchronisation. */
static enum store_result find_nameless(struct finding *finding, size_t index)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    struct qso qso;
    if (!record->mapped.id)
        return STORE_DONE;
    enum store_result result = store_find_qso_by_id_and_time(
        matching->store, matching->member->member_id, record->mapped.id,
        record->mapped.created_at_ms, finding->arena, &qso);
    if (result == STORE_DONE)
        add_pair(finding, index, find_place_for(finding, index, record->mapped.id), CONTACT_BY_ID);
    record->is_own = result == STORE_DONE;
    return result == STORE_NONE ? STORE_DONE : result;
}

/* If an id's QSO already is another record of the run, the id does not count for this record,
 * unless both records describe one contact. */
static enum store_result find_program_id(struct finding *finding, size_t index, size_t which)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    int64_t id;
    enum store_result result = store_find_program_id(matching->store, matching->member->member_id,
                                                     record->mapped.ids[which], &id);
    if (result != STORE_DONE)
        return result;
    const size_t place = find_place_for(finding, index, id);
    result = read_place(finding, place);
    if (result != STORE_DONE)
        return result;
    const struct contact *stored = &finding->places[place].contact;
    const bool is_taken = number_set_has(matching->taken, (uint64_t)id);
    if (!contact_is_believed(record->mapped.ids[which], &record->contact, stored) ||
        (is_taken && !contact_may_share(record->mapped.ids[which], &record->contact, stored))) {
        repeated_remove_id(record, which);
        return STORE_NONE;
    }
    record->came_before = record->came_before || is_taken;
    add_pair(finding, index, place, CONTACT_BY_ID);
    return STORE_DONE;
}

static enum store_result find_program_ids(struct finding *finding, size_t index)
{
    const struct mapped *mapped = &finding->records[index]->mapped;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < mapped->id_count && result == STORE_DONE;) {
        const size_t before = mapped->id_count;
        result = find_program_id(finding, index, i);
        i += before == mapped->id_count;
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

/* A QSO with an id of the record's program is another contact: the record was not found by it. */
static enum store_result has_other_id(const struct matching *matching, const struct mapped *mapped,
                                      int64_t qso_id, bool *out)
{
    enum store_result result = STORE_DONE;
    *out = false;
    for (size_t i = 0; i < mapped->id_count && result == STORE_DONE && !*out; i++)
        result = store_has_program_id(matching->store, matching->member->member_id, qso_id,
                                      mapped->ids[i].program, out);
    return result;
}

static enum store_result find_remembered(struct finding *finding, size_t index, bool has_id)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    int64_t id;
    enum store_result result =
        store_find_known(matching->store, matching->member->member_id, &record->key, record->source,
                         finding->arena, &id, &record->said_before);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    const size_t place = find_place_for(finding, index, id);
    finding->remembered[index] = id;
    const bool is_free = record->came_before || !number_set_has(matching->taken, (uint64_t)id);
    if (has_id || record->is_own || !is_free)
        return STORE_DONE;
    bool has_other;
    result = has_other_id(matching, &record->mapped, id, &has_other);
    if (!has_other)
        add_pair(finding, index, place, CONTACT_BY_MEMORY);
    return result;
}

static enum store_result look_up(struct finding *finding, size_t index)
{
    const size_t before = finding->pair_count;
    enum store_result result = find_client_id(finding, index);
    if (finding->pair_count == before && !finding->records[index]->is_own)
        THEN(result, find_nameless(finding, index));
    if (finding->pair_count == before && !finding->records[index]->is_own)
        THEN(result, find_program_ids(finding, index));
    return THEN(result, find_remembered(finding, index, finding->pair_count > before));
}

/* Times count only where several records claim one QSO. */
static enum store_result measure_claims(struct finding *finding)
{
    enum store_result result = STORE_DONE;
    size_t *claims =
        arena_allocate_zeroed(finding->arena, (finding->place_count + 1) * sizeof *claims);
    for (size_t i = 0; i < finding->pair_count; i++)
        claims[finding->pairs[i].qso]++;
    for (size_t i = 0; i < finding->pair_count && result == STORE_DONE; i++) {
        if (claims[finding->pairs[i].qso] < 2)
            continue;
        result = read_place(finding, finding->pairs[i].qso);
        if (result == STORE_DONE)
            finding->pairs[i].apart_ms = apart_ms(finding, &finding->pairs[i]);
    }
    return result;
}

static enum store_result find_known(struct finding *finding)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < finding->count && result == STORE_DONE; i++)
        if (finding->records[i]->state != MATCHING_REPEATED)
            result = look_up(finding, i);
    THEN(result, measure_claims(finding));
    if (result == STORE_DONE)
        assign(finding);
    return result;
}

/* -- By content -------------------------------------------------------------------------------- */

/* The search for QSOs that one record may be. */
struct search {
    struct finding *finding;
    size_t index; /* texts of the record */
    enum store_result result;
};

/* A QSO that is another record already cannot be this one. */
static bool is_free(const struct finding *finding, size_t place)
{
    return (place >= finding->first_alike || finding->record_of[place] == CONTACT_NONE) &&
           !number_set_has(finding->matching->taken, (uint64_t)finding->places[place].id);
}

static void visit_candidate(void *context, const struct qso *qso, int64_t length_ms)
{
    struct search *search = context;
    struct finding *finding = search->finding;
    const struct matching_record *record = finding->records[search->index];
    struct contact contact;
    bool has_other = false;
    describe_place(finding, qso, length_ms, &contact);
    const int differences = contact_compare(&record->contact, &contact);
    if (differences == CONTACT_ANOTHER)
        return;
    const size_t place = find_place_for(finding, search->index, qso->values[FIELD_ID].integer);
    THEN(search->result,
         has_other_id(finding->matching, &record->mapped, finding->places[place].id, &has_other));
    if (has_other || !is_free(finding, place))
        return;
    contact.name = (struct text){0}; /* the statement's */
    finding->places[place].contact = contact;
    finding->places[place].has_contact = true;
    add_pair(finding, search->index, place,
             differences == 0 ? CONTACT_WITHOUT_DIFFERENCE : CONTACT_WITH_ONE_DIFFERENCE);
    finding->pairs[finding->pair_count - 1].apart_ms =
        llabs(contact.start_ms - record->contact.start_ms);
}

static enum store_result find_candidates(struct finding *finding, size_t index, bool is_whole)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    const struct contact *contact = &record->contact;
    const size_t before = finding->pair_count;
    struct search search = {.finding = finding, .index = index};
    const int64_t last_ms = contact->start_ms + CONTACT_WINDOW_MS;
    struct candidate_search wanted = {
        .member_id = matching->member->member_id,
        .from_ms = contact->start_ms - CONTACT_WINDOW_MS,
        .to_ms = contact->end_ms > last_ms ? contact->end_ms : last_ms,
        .worked = contact->worked.length > 0 ? match_text(&contact->worked) : (struct text){0},
        .limit = CANDIDATES_MAX};
    enum store_result result =
        store_list_candidates(matching->store, &wanted, visit_candidate, &search);
    wanted.to_ms = contact->start_ms;
    wanted.from_ms = contact->start_ms - CONTACT_LENGTH_MAX_MS;
    if (matching->looks_back)
        THEN(result,
             store_list_long_candidates(matching->store, &wanted, visit_candidate, &search));
    THEN(result, search.result);
    if (!is_whole && finding->pair_count > before) {
        record->state = MATCHING_DEFERRED;
        finding->pair_count = before;
    }
    return result;
}

static enum store_result find_alike(struct finding *finding, bool is_whole)
{
    enum store_result result = STORE_DONE;
    finding->first_alike = finding->place_count;
    for (size_t i = 0; i < finding->count && result == STORE_DONE; i++) {
        const struct matching_record *record = finding->records[i];
        if (record->state == MATCHING_NEW && !record->is_own && finding->qso_of[i] == CONTACT_NONE)
            result = find_candidates(finding, i, is_whole);
    }
    if (result == STORE_DONE)
        assign(finding);
    return result;
}

/* -- All --------------------------------------------------------------------------------------- */

/* Whether its source has sent all of its values before. */
static bool was_said(const struct matching_record *record)
{
    for (size_t i = 0; i < SAID_COUNT; i++)
        if (record->said.digests[i] && !said_was_sent(record->said_before, record->said.digests[i]))
            return false;
    return true;
}

static enum store_result settle(struct finding *finding, size_t index)
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
        result = read_place(finding, at);
        if (result == STORE_DONE)
            record->stored = *finding->places[at].qso;
    }
    return result;
}

enum store_result matching_find(struct matching *matching, struct matching_record *const *records,
                                size_t count, bool is_whole, struct arena *arena)
{
    struct finding finding = {
        .matching = matching, .records = records, .count = count, .arena = arena};
    table_begin(&finding.place_of, arena, sizeof(size_t));
    finding.qso_of = arena_allocate(arena, (count + 1) * sizeof *finding.qso_of);
    finding.remembered = arena_allocate_zeroed(arena, (count + 1) * sizeof *finding.remembered);
    for (size_t i = 0; i < count; i++)
        finding.qso_of[i] = CONTACT_NONE;
    enum store_result result = read_log(matching, arena);
    if (result == STORE_DONE) {
        read_records(&finding);
        result = find_known(&finding);
    }
    THEN(result, find_alike(&finding, is_whole));
    for (size_t i = 0; i < count && result == STORE_DONE; i++)
        result = settle(&finding, i);
    return result;
}
