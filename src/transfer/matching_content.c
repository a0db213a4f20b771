/* Compares records with the QSOs that are close in time. src/qso/contact.c decides whether two
 * descriptions are alike. */
#include "transfer/matching_content.h"

#include <stdlib.h>

#include "base/number_set.h"
#include "qso/contact.h"
#include "qso/contact_pairs.h"
#include "qso/match_callsign.h"
#include "store/log/candidates.h"
#include "transfer/matching_ids.h"
#include "transfer/matching_places.h"

/* maximum number of QSOs with one station at one time that are examined */
#define CANDIDATES_MAX 50

/* The search for the QSOs that can belong to one record. */
struct search {
    struct matching_finding *finding;
    size_t index; /* the record's index */
    enum store_result result;
};

/* Returns whether the QSO has not been assigned to another record. */
static bool is_free(const struct matching_finding *finding, size_t place)
{
    return (place >= finding->first_alike || finding->record_of[place] == CONTACT_NONE) &&
           !number_set_has(finding->matching->taken, (uint64_t)finding->places[place].id);
}

static void visit_candidate(void *context, const struct qso *qso, int64_t length_ms)
{
    struct search *search = context;
    struct matching_finding *finding = search->finding;
    const struct matching_record *record = finding->records[search->index];
    struct contact contact;
    bool has_other = false;
    matching_describe_place(finding, qso, length_ms, &contact);
    const int differences = contact_compare(&record->contact, &contact);
    if (differences == CONTACT_ANOTHER)
        return;
    const size_t place = matching_find_place(finding, search->index, qso->values[FIELD_ID].integer);
    THEN(search->result, matching_has_other_id(finding->matching, &record->mapped,
                                               finding->places[place].id, &has_other));
    if (has_other || !is_free(finding, place))
        return;
    contact.name = (struct text){0}; /* The name is valid only during the statement. */
    finding->places[place].contact = contact;
    finding->places[place].has_contact = true;
    matching_add_pair(finding, search->index, place,
                      differences == 0 ? CONTACT_WITHOUT_DIFFERENCE : CONTACT_WITH_ONE_DIFFERENCE);
    finding->pairs[finding->pair_count - 1].apart_ms =
        llabs(contact.start_ms - record->contact.start_ms);
}

static enum store_result find_candidates(struct matching_finding *finding, size_t index,
                                         bool is_whole)
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

enum store_result matching_find_alike(struct matching_finding *finding, bool is_whole)
{
    enum store_result result = STORE_DONE;
    finding->first_alike = finding->place_count;
    for (size_t i = 0; i < finding->count && result == STORE_DONE; i++) {
        const struct matching_record *record = finding->records[i];
        if (record->state == MATCHING_NEW && !record->is_own && finding->qso_of[i] == CONTACT_NONE)
            result = find_candidates(finding, i, is_whole);
    }
    if (result == STORE_DONE)
        matching_assign(finding);
    return result;
}
