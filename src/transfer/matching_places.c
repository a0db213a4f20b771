/* Collects the places (candidate QSOs), and the pairs of records and places. */
#include "transfer/matching_places.h"

#include <stdlib.h>

#include "adif/notes.h"
#include "base/arena.h"
#include "base/table.h"
#include "qso/contact.h"
#include "qso/contact_pairs.h"
#include "store/log/qsos.h"

static size_t find_place(struct matching_finding *finding, int64_t id)
{
    size_t *known = table_at(&finding->place_of, (struct text){(const char *)&id, sizeof id});
    if (*known > 0)
        return *known - 1;
    finding->places = arena_grow(finding->arena, finding->places, finding->place_count,
                                 &finding->place_capacity, sizeof *finding->places);
    finding->places[finding->place_count] = (struct matching_place){.id = id};
    *known = ++finding->place_count;
    return *known - 1;
}

void matching_describe_place(const struct matching_finding *finding, const struct qso *qso,
                             int64_t length_ms, struct contact *out)
{
    contact_read(qso, notes_of_qso(qso).parts[NOTES_NAME],
                 qso->values[FIELD_QSO_AT].integer + length_ms, &finding->matching->own, out);
}

enum store_result matching_read_place(struct matching_finding *finding, size_t index)
{
    const struct matching *matching = finding->matching;
    struct matching_place *place = &finding->places[index];
    if (place->qso)
        return STORE_DONE;
    struct qso *qso = arena_allocate(finding->arena, sizeof *qso);
    enum store_result result = store_find_own_qso(matching->store, matching->member->member_id,
                                                  place->id, finding->arena, qso);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    place->qso = qso;
    if (!place->has_contact)
        matching_describe_place(finding, qso, 0, &place->contact);
    place->has_contact = true;
    return STORE_DONE;
}

size_t matching_find_place(struct matching_finding *finding, size_t record, int64_t id)
{
    const struct matching *matching = finding->matching;
    if (matching->visit)
        matching->visit(matching->context, finding->records[record], 'q', (uint64_t)id);
    return find_place(finding, id);
}

void matching_add_pair(struct matching_finding *finding, size_t record, size_t place,
                       enum contact_rank rank)
{
    finding->pairs = arena_grow(finding->arena, finding->pairs, finding->pair_count,
                                &finding->pair_capacity, sizeof *finding->pairs);
    finding->pairs[finding->pair_count++] = (struct contact_pair){
        .record = record, .qso = place, .rank = rank, .age = finding->places[place].id};
}

int64_t matching_apart_ms(const struct matching_finding *finding, const struct contact_pair *pair)
{
    return llabs(finding->places[pair->qso].contact.start_ms -
                 finding->records[pair->record]->contact.start_ms);
}

void matching_assign(struct matching_finding *finding)
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
