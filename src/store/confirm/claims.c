/* Decides which QSO each claim confirms. src/store/club/claims_fetch.c stores and changes claims. A
 * claim can confirm only QSOs that one member logged under their own callsign, so few QSOs are
 * searched. At most CANDIDATES_MAX QSOs with the same two stations are compared, however many are
 * stored. */
#include "store/confirm/claims.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/confirm/partners.h"
#include "store/store.h"

/* The limit for one search: claims of the same two stations within MATCH_WINDOW_MS of the QSO, or
 * QSOs in the one or two slots (match_slot) that this time window covers. qsosync-peers(7) states
 * this number. */
#define CANDIDATES_MAX 100

#define SLICE 500 /* maximum number of claims that one call removes */

static void read_side(const struct statement *row, struct match_side *out)
{
    *out = (struct match_side){.confirmable = true,
                               .qso_at_ms = database_read_integer(row, "qso_at"),
                               .band = database_read_integer(row, "band"),
                               .channel = database_read_integer(row, "channel"),
                               .mode_family = database_read_integer_or(row, "mode", MATCH_NO_MODE)};
    match_normalise_callsign(database_read_text(row, "station_key"), &out->station);
    match_normalise_callsign(database_read_text(row, "worked_key"), &out->worked);
}

/* The candidate that is nearest in time, or the oldest if several are equally near. */
struct nearest {
    int64_t id; /* 0: none */
    int64_t distance_ms;
};

static void take_nearer(struct nearest *nearest, int64_t id, const struct match_side *a,
                        const struct match_side *b)
{
    const int64_t distance_ms = llabs(a->qso_at_ms - b->qso_at_ms);
    if (!nearest->id || distance_ms < nearest->distance_ms ||
        (distance_ms == nearest->distance_ms && id < nearest->id))
        *nearest = (struct nearest){id, distance_ms};
}

enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change)
{
    struct store *store = transaction->store;
    struct match_side candidate;
    struct nearest nearest = {0};
    bool holds = false;
    enum store_result result = STORE_DONE;
    *change = (struct claim_change){0};
    if (!transaction->knows_claims)
        result = store_has(store, &transaction->has_claims, STATEMENT_FIND_ANY_CLAIM);
    transaction->knows_claims = result == STORE_DONE;
    if (!transaction->has_claims)
        return result;
    struct statement *list = store_with(
        store, STATEMENT_LIST_CLAIMS_OF_CONTACT, BIND("qso_id", id), BIND("member_id", member_id),
        BIND("station", match_text(&side->station)), BIND("worked", match_text(&side->worked)),
        BIND("from", side->qso_at_ms - MATCH_WINDOW_MS),
        BIND("to", side->qso_at_ms + MATCH_WINDOW_MS), BIND("limit", CANDIDATES_MAX));
    while (database_next(store->database, list, &result)) {
        const int64_t claim = database_read_integer(list, "id");
        read_side(list, &candidate);
        const bool fits = match_confirms(side, &candidate);
        if (!database_is_null(list, "qso_id")) {
            holds = fits && database_read_integer(list, "is_own");
            change->ended = holds ? 0 : claim;
        } else if (fits) {
            take_nearer(&nearest, claim, side, &candidate);
        }
    }
    change->made = holds ? 0 : nearest.id;
    return result;
}

static enum store_result set_qso(struct transaction *transaction, int64_t claim, int64_t qso_id)
{
    return store_run(transaction->store, STATEMENT_UPDATE_CLAIM_QSO, BIND("id", claim),
                     BIND_OR_NULL("qso_id", qso_id));
}

enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended)
        result = set_qso(transaction, change->ended, 0);
    if (change->made)
        THEN(result, set_qso(transaction, change->made, id));
    if (change->ended || change->made)
        THEN(result, store_run(transaction->store, STATEMENT_UPDATE_QSO_CLAIM, BIND("id", id),
                               BIND_OR_NULL("claim_id", change->made)));
    return result;
}

enum store_result claims_note_qso(struct transaction *transaction, int64_t qso_id, int64_t claim)
{
    struct store *store = transaction->store;
    if (!qso_id)
        return STORE_DONE;
    enum store_result result = store_run(
        store, STATEMENT_UPDATE_QSO_CLAIMED, BIND("id", qso_id), BIND_OR_NULL("claim_id", claim),
        BIND("claimed_at", transaction->written_at_ms), BIND("synced_at", transaction->stamp_ms));
    return THEN(result, store_run(store, STATEMENT_UPDATE_LOG_REVISION_OF_QSO, BIND("id", qso_id),
                                  BIND("log_revision", transaction->stamp_ms)));
}

enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended || change->made)
        result = claims_note_qso(transaction, id, change->made);
    return THEN(result, claims_offer(transaction, change->ended));
}

enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim)
{
    *claim = 0;
    enum store_result result = store_find_integer(transaction->store, "id", claim,
                                                  STATEMENT_RELEASE_CLAIM, BIND("qso_id", id));
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result find_claim(struct transaction *transaction, int64_t claim,
                                    struct match_side *side, int64_t *qso_id)
{
    struct store *store = transaction->store;
    struct statement *find = store_with(store, STATEMENT_FIND_CLAIM, BIND("id", claim));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        read_side(find, side);
        *qso_id = database_read_integer(find, "qso_id");
    }
    sqlite3_reset(find->handle);
    return result;
}

/* Finds the QSO for a claim. If the station is a member's own callsign, only that member's QSOs
 * confirm QSOs with the station, so src/store/club/claims_fetch.c stores no claim from that
 * station. If a member gains the station's callsign later, people/reviews.c ends the station's
 * claims. */
enum store_result claims_seek_qso(struct transaction *transaction, const struct match_side *side,
                                  int64_t *qso_id)
{
    struct store *store = transaction->store;
    struct match_side candidate;
    struct qso qso;
    struct nearest nearest = {0};
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSOS_WITHOUT_CLAIM,
                   BIND("first_slot", match_slot(side->qso_at_ms - MATCH_WINDOW_MS)),
                   BIND("last_slot", match_slot(side->qso_at_ms + MATCH_WINDOW_MS)),
                   BIND("worked", match_text(&side->worked)),
                   BIND("station", match_text(&side->station)), BIND("limit", CANDIDATES_MAX));
    while (database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, database_read_text(list, "callsign"), &candidate);
        if (match_confirms(side, &candidate))
            take_nearer(&nearest, database_read_integer(list, "id"), side, &candidate);
    }
    *qso_id = nearest.id;
    return result;
}

/* Looks for a QSO that a free claim confirms, and records the confirmation in both rows. */
static enum store_result give_qso(struct transaction *transaction, int64_t claim,
                                  const struct match_side *side)
{
    int64_t qso_id;
    enum store_result result = claims_seek_qso(transaction, side, &qso_id);
    if (qso_id)
        THEN(result, set_qso(transaction, claim, qso_id));
    return THEN(result, claims_note_qso(transaction, qso_id, claim));
}

enum store_result claims_offer(struct transaction *transaction, int64_t claim)
{
    struct match_side side;
    int64_t qso_id;
    enum store_result result = claim ? find_claim(transaction, claim, &side, &qso_id) : STORE_NONE;
    if (result == STORE_DONE && !qso_id)
        result = give_qso(transaction, claim, &side);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Ends the confirmation by a claim, and looks for another claim that confirms the QSO. */
static enum store_result withdraw(struct transaction *transaction, int64_t claim)
{
    struct match_side side;
    struct owned_qso qso;
    struct claim_change change = {0};
    int64_t qso_id;
    enum store_result result = find_claim(transaction, claim, &side, &qso_id);
    if (result != STORE_DONE || !qso_id)
        return result;
    result = partners_find_qso(transaction->store, qso_id, &qso);
    if (result == STORE_DONE && qso.member_active)
        result = claims_plan(transaction, qso.member_id, 0, &qso.side, &change);
    change.ended = claim;
    THEN(result, claims_set(transaction, qso_id, &change));
    return THEN(result, claims_note_qso(transaction, qso_id, change.made));
}

enum store_result claims_review(struct transaction *transaction, int64_t claim)
{
    struct match_side side;
    struct owned_qso qso;
    int64_t qso_id;
    enum store_result result = find_claim(transaction, claim, &side, &qso_id);
    if (result == STORE_DONE && qso_id)
        result = partners_find_qso(transaction->store, qso_id, &qso);
    if (result != STORE_DONE || (qso_id && match_confirms(&side, &qso.side)))
        return result;
    if (qso_id)
        result = withdraw(transaction, claim);
    return THEN(result, give_qso(transaction, claim, &side));
}

enum store_result claims_remove(struct transaction *transaction, int64_t claim)
{
    enum store_result result = withdraw(transaction, claim);
    return THEN(result, store_run(transaction->store, STATEMENT_DELETE_CLAIM, BIND("id", claim)));
}

enum store_result claims_remove_some(struct transaction *transaction, struct statement *list,
                                     bool *last)
{
    int64_t ids[SLICE];
    size_t count = 0;
    enum store_result result = STORE_DONE;
    database_bind(list, BOUND(BIND("limit", SLICE)));
    while (database_next(transaction->store->database, list, &result))
        ids[count++] = database_read_integer(list, "id");
    for (size_t i = 0; i < count; i++)
        THEN(result, claims_remove(transaction, ids[i]));
    *last = count < SLICE;
    return result;
}

enum store_result claims_remove_all(struct transaction *transaction, struct statement *list)
{
    enum store_result result = STORE_DONE;
    for (bool last = false; result == STORE_DONE && !last;)
        result = claims_remove_some(transaction, list, &last);
    return result;
}
