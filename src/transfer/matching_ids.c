/* Looks up a record's ids in this order: our clientId, the id and time of an old QSO, programs'
 * ids. A record that is not found by an id is looked up among the known records. */
#include "transfer/matching_ids.h"

#include "adif/rows.h"
#include "base/arena.h"
#include "base/number_set.h"
#include "base/text.h"
#include "base/text_hex.h"
#include "base/uuid.h"
#include "qso/contact.h"
#include "qso/contact_pairs.h"
#include "store/log/known.h"
#include "store/log/qsos.h"
#include "transfer/matching_places.h"
#include "transfer/repeated.h"

/* Finds the QSO into which the record's QSO was merged. If a file that this service has written
 * still contains the merged QSO, no values are added to the other QSO. */
static enum store_result find_merged(struct matching_finding *finding, size_t index)
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
        matching_add_pair(finding, index, matching_find_place(finding, index, id), CONTACT_BY_ID);
    } else {
        record->state = MATCHING_SAID;
        record->qso_id = id;
    }
    return STORE_DONE;
}

static enum store_result find_client_id(struct matching_finding *finding, size_t index)
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
        matching_add_pair(finding, index,
                          matching_find_place(finding, index, qso.values[FIELD_ID].integer),
                          CONTACT_BY_ID);
    else if (!record->takes_id)
        client_id->state = VALUE_OMITTED;
    return STORE_DONE;
}

/* Finds a QSO without a clientId. Such a QSO was created before clients could synchronise. */
static enum store_result find_nameless(struct matching_finding *finding, size_t index)
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
        matching_add_pair(finding, index, matching_find_place(finding, index, record->mapped.id),
                          CONTACT_BY_ID);
    record->is_own = result == STORE_DONE;
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Finds the QSO for a program's id. If another record of the run already belongs to this QSO, the
 * id counts only if both records describe the same contact. */
static enum store_result find_program_id(struct matching_finding *finding, size_t index,
                                         size_t which)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    int64_t id;
    enum store_result result = store_find_program_id(matching->store, matching->member->member_id,
                                                     record->mapped.ids[which], &id);
    if (result != STORE_DONE)
        return result;
    const size_t place = matching_find_place(finding, index, id);
    result = matching_read_place(finding, place);
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
    matching_add_pair(finding, index, place, CONTACT_BY_ID);
    return STORE_DONE;
}

static enum store_result find_program_ids(struct matching_finding *finding, size_t index)
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

enum store_result matching_has_other_id(const struct matching *matching,
                                        const struct mapped *mapped, int64_t qso_id, bool *out)
{
    enum store_result result = STORE_DONE;
    *out = false;
    for (size_t i = 0; i < mapped->id_count && result == STORE_DONE && !*out; i++)
        result = store_has_program_id(matching->store, matching->member->member_id, qso_id,
                                      mapped->ids[i].program, out);
    return result;
}

static enum store_result find_remembered(struct matching_finding *finding, size_t index,
                                         bool has_id)
{
    const struct matching *matching = finding->matching;
    struct matching_record *record = finding->records[index];
    struct known_record known;
    enum store_result result =
        store_find_known(matching->store, matching->member->member_id, &record->key, record->source,
                         finding->arena, &known);
    record->said_before = known.said;
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    const int64_t id = known.qso_id;
    const size_t place = matching_find_place(finding, index, id);
    finding->remembered[index] = id;
    const bool is_free = record->came_before || !number_set_has(matching->taken, (uint64_t)id);
    if (has_id || record->is_own || !is_free)
        return STORE_DONE;
    bool has_other;
    result = matching_has_other_id(matching, &record->mapped, id, &has_other);
    if (!has_other)
        matching_add_pair(finding, index, place, CONTACT_BY_MEMORY);
    return result;
}

static enum store_result look_up(struct matching_finding *finding, size_t index)
{
    const size_t before = finding->pair_count;
    enum store_result result = find_client_id(finding, index);
    if (finding->pair_count == before && !finding->records[index]->is_own)
        THEN(result, find_nameless(finding, index));
    if (finding->pair_count == before && !finding->records[index]->is_own)
        THEN(result, find_program_ids(finding, index));
    return THEN(result, find_remembered(finding, index, finding->pair_count > before));
}

/* Measures the time differences for QSOs that several records claim. For other QSOs, the
 * differences do not matter. */
static enum store_result measure_claims(struct matching_finding *finding)
{
    enum store_result result = STORE_DONE;
    size_t *claims =
        arena_allocate_zeroed(finding->arena, (finding->place_count + 1) * sizeof *claims);
    for (size_t i = 0; i < finding->pair_count; i++)
        claims[finding->pairs[i].qso]++;
    for (size_t i = 0; i < finding->pair_count && result == STORE_DONE; i++) {
        if (claims[finding->pairs[i].qso] < 2)
            continue;
        result = matching_read_place(finding, finding->pairs[i].qso);
        if (result == STORE_DONE)
            finding->pairs[i].apart_ms = matching_apart_ms(finding, &finding->pairs[i]);
    }
    return result;
}

enum store_result matching_find_known(struct matching_finding *finding)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < finding->count && result == STORE_DONE; i++)
        if (finding->records[i]->state != MATCHING_REPEATED)
            result = look_up(finding, i);
    THEN(result, measure_claims(finding));
    if (result == STORE_DONE)
        matching_assign(finding);
    return result;
}
