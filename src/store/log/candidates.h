/* Finds QSOs in one log that could describe the same contact. Lists are read inside a read
 * transaction or a write transaction. */
#ifndef QSOSYNC_STORE_CANDIDATES_H
#define QSOSYNC_STORE_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"
#include "store/transaction.h"

/* A search for a member's QSOs that a record could describe. */
struct candidate_search {
    int64_t member_id;
    int64_t from_ms, to_ms; /* earliest and latest start of the QSO */
    /* callsign worked, in its form for comparisons; no text: QSOs without a callsign worked */
    struct text worked;
    int64_t limit; /* maximum number of QSOs per slot of two hours, or of long contacts */
};

/* Receives a QSO, which is valid during the call, and the length of the contact, which is 0 if the
 * length is unknown or short. */
typedef void candidate_visitor(void *context, const struct qso *qso, int64_t length_ms);

/* Calls visit for the QSOs that start between from_ms and to_ms. */
enum store_result store_list_candidates(struct store *store, const struct candidate_search *search,
                                        candidate_visitor *visit, void *context);

/* Calls visit for the QSOs that start between from_ms and to_ms, and are known to last at least
 * until to_ms. */
enum store_result store_list_long_candidates(struct store *store,
                                             const struct candidate_search *search,
                                             candidate_visitor *visit, void *context);

/* Two QSOs with the same station, or both without a callsign. The second starts during the first
 * contact, or at most CONTACT_WINDOW_MS after its start. */
struct near_pair {
    int64_t slot; /* slot of the first QSO */
    int64_t one, other;
    int64_t length_ms; /* length of the first contact; 0: unknown or short */
};

/* A search for pairs in which the slot (match_slot) of the first QSO is greater than `above` and
 * less than `below`. */
struct near_pair_search {
    int64_t member_id;
    int64_t above, below;
    int64_t limit; /* maximum number of pairs */
};

struct near_pairs {
    struct near_pair *pairs; /* pairs in the arena, newest first */
    size_t count;
};
enum store_result store_list_near_pairs(struct store *store, const struct near_pair_search *search,
                                        struct arena *arena, struct near_pairs *out);

/* Skips `count` QSOs in slots below `below`, newest first, and finds the slot of the next QSO.
 * Returns STORE_NONE if no QSO is left. */
enum store_result store_find_slot_below(struct store *store, int64_t member_id, int64_t below,
                                        int64_t count, int64_t *slot);

/* Stores in *out whether the same program, or PoLo, has given the two QSOs different ids. */
enum store_result store_have_ids_of_one_program(struct store *store, int64_t member_id, int64_t one,
                                                int64_t other, bool *out);

/* Stores in *out whether PoLo has sent the QSO with this clientId. */
enum store_result store_is_of_polo(struct store *store, int64_t member_id, struct text client_id,
                                   bool *out);

/* Stores that two QSOs are two contacts, inside a write transaction. The QSOs get different ids
 * from a program whose name no record can have. */
enum store_result store_tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                   int64_t other);

/* Removes the ids that store_tell_apart has stored, inside a write transaction. */
enum store_result store_tell_no_longer_apart(struct transaction *transaction, int64_t member_id,
                                             int64_t one, int64_t other);

#endif
