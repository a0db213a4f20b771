/* Which QSO each claim confirms. Claims come and change in src/store/peers.c. A claim is for the
 * QSOs of one member under the member's own callsign, so what is searched is small; whatever
 * somebody else has stored, at most CANDIDATES_MAX of the same two stations are compared. */
#include "store/confirmations.h"

#include <stdlib.h>

#include "store/store.h"

/* Of the same two stations within half an hour, or in a slot of two. The manual names it. */
#define CANDIDATES_MAX 100

enum { CLAIMS_UNKNOWN, CLAIMS_NONE, CLAIMS_SOME };

static enum store_result find_any(struct transaction *transaction, bool *found)
{
    enum store_result result = STORE_DONE;
    if (transaction->claims == CLAIMS_UNKNOWN) {
        struct database *database = transaction->store->database;
        struct statement *any = database_statement(database, STATEMENT_FIND_ANY_CLAIM);
        result = database_step(database, any);
        sqlite3_reset(any->handle);
        if (result == STORE_DONE || result == STORE_NONE)
            transaction->claims = result == STORE_DONE ? CLAIMS_SOME : CLAIMS_NONE;
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    *found = transaction->claims == CLAIMS_SOME;
    return result;
}

static void read_callsign(const struct statement *row, const char *name, struct match_callsign *out)
{
    match_normalise_callsign(database_read_text(row, name), out);
}

static void read_side(const struct statement *row, struct match_side *out)
{
    *out = (struct match_side){.confirmable = true,
                               .qso_at_ms = database_read_integer(row, "qso_at"),
                               .band = database_read_integer(row, "band"),
                               .channel = database_read_integer(row, "channel"),
                               .mode_family = database_is_null(row, "mode")
                                                  ? MATCH_NO_MODE
                                                  : database_read_integer(row, "mode")};
    read_callsign(row, "station_key", &out->station);
    read_callsign(row, "worked_key", &out->worked);
}

/* The nearest in time so far, then the oldest. */
struct nearest {
    int64_t id; /* 0: none */
    int64_t distance_ms;
};

static void consider(struct nearest *nearest, int64_t id, const struct match_side *side,
                     const struct match_side *candidate)
{
    if (!match_confirms(side, candidate))
        return;
    int64_t distance_ms = llabs(side->qso_at_ms - candidate->qso_at_ms);
    if (!nearest->id || distance_ms < nearest->distance_ms ||
        (distance_ms == nearest->distance_ms && id < nearest->id))
        *nearest = (struct nearest){id, distance_ms};
}

/* -- The claim of a QSO ------------------------------------------------------------------------ */

static enum store_result find_claim_of(struct transaction *transaction, int64_t qso_id,
                                       int64_t *claim, struct match_side *side)
{
    struct database *database = transaction->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_CLAIM_OF_QSO);
    bool any = false;
    enum store_result result = find_any(transaction, &any);
    *claim = 0;
    if (result != STORE_DONE || !any || !qso_id)
        return result;
    database_bind_integer(find, ":qso_id", qso_id);
    result = database_step(database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    *claim = database_read_integer(find, "id");
    read_side(find, side);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

static enum store_result find_free_claim(struct transaction *transaction,
                                         const struct match_side *side, int64_t *claim)
{
    struct database *database = transaction->store->database;
    struct statement *list = database_statement(database, STATEMENT_LIST_FREE_CLAIMS);
    struct nearest nearest = {0};
    struct match_side candidate;
    enum store_result result = STORE_DONE;
    database_bind_text(list, ":worked", match_text(&side->station));
    database_bind_text(list, ":station", match_text(&side->worked));
    database_bind_integer(list, ":from", side->qso_at_ms - MATCH_WINDOW_MS);
    database_bind_integer(list, ":to", side->qso_at_ms + MATCH_WINDOW_MS);
    database_bind_integer(list, ":limit", CANDIDATES_MAX);
    while (database_next(database, list, &result)) {
        read_side(list, &candidate);
        consider(&nearest, database_read_integer(list, "id"), side, &candidate);
    }
    *claim = nearest.id;
    return result;
}

static enum store_result is_own_callsign(struct store *store, int64_t member_id,
                                         const struct match_callsign *callsign, bool *own)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_OWN_CALLSIGN, member_id);
    database_bind_text(find, ":callsign", match_text(callsign));
    enum store_result result = database_step(store->database, find);
    sqlite3_reset(find->handle);
    *own = result == STORE_DONE;
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change)
{
    struct match_side claim;
    bool own = false, any = false;
    *change = (struct claim_change){0};
    enum store_result result = find_any(transaction, &any);
    if (result == STORE_DONE && any)
        result = find_claim_of(transaction, id, &change->ended, &claim);
    if (result == STORE_DONE && any && side->confirmable)
        result = is_own_callsign(transaction->store, member_id, &side->station, &own);
    if (result != STORE_DONE || !any)
        return result;
    if (change->ended && own && match_confirms(side, &claim))
        change->ended = 0;
    else if (own)
        result = find_free_claim(transaction, side, &change->made);
    return result;
}

static enum store_result set_qso(struct transaction *transaction, int64_t claim, int64_t qso_id)
{
    struct database *database = transaction->store->database;
    struct statement *update = database_statement(database, STATEMENT_UPDATE_CLAIM_QSO);
    database_bind_integer(update, ":id", claim);
    database_bind_null(update, ":qso_id");
    if (qso_id)
        database_bind_integer(update, ":qso_id", qso_id);
    return database_run(database, update);
}

enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended)
        result = set_qso(transaction, change->ended, 0);
    if (result == STORE_DONE && change->made)
        result = set_qso(transaction, change->made, id);
    return result;
}

/* The time since when the QSO is confirmed, with the stamps by which clients learn of it. */
static enum store_result set_time(struct transaction *transaction, int64_t id)
{
    struct database *database = transaction->store->database;
    struct statement *update = database_statement(database, STATEMENT_UPDATE_QSO_CLAIMED);
    database_bind_integer(update, ":id", id);
    database_bind_integer(update, ":claimed_at", transaction->written_at_ms);
    database_bind_integer(update, ":synced_at", transaction->stamp_ms);
    enum store_result result = database_run(database, update);
    if (result != STORE_DONE)
        return result;
    struct statement *revise = database_statement(database, STATEMENT_UPDATE_LOG_REVISION_OF_QSO);
    database_bind_integer(revise, ":id", id);
    database_bind_integer(revise, ":log_revision", transaction->stamp_ms);
    return database_run(database, revise);
}

enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended || change->made)
        result = set_time(transaction, id);
    return result == STORE_DONE ? claims_offer(transaction, change->ended) : result;
}

enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim)
{
    struct match_side side;
    enum store_result result = find_claim_of(transaction, id, claim, &side);
    return result == STORE_DONE && *claim ? set_qso(transaction, *claim, 0) : result;
}

/* -- The QSO of a claim ------------------------------------------------------------------------ */

static enum store_result find_claim(struct transaction *transaction, int64_t claim,
                                    struct match_side *side, int64_t *qso_id)
{
    struct database *database = transaction->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_CLAIM);
    database_bind_integer(find, ":id", claim);
    enum store_result result = database_step(database, find);
    if (result != STORE_DONE)
        return result;
    read_side(find, side);
    *qso_id = database_read_integer(find, "qso_id");
    sqlite3_reset(find->handle);
    transaction->claims = CLAIMS_SOME;
    return STORE_DONE;
}

/* Among those of one slot. */
static enum store_result search_slot(struct store *store, int64_t slot,
                                     const struct match_side *side, struct nearest *nearest)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_QSOS_WITHOUT_CLAIM);
    struct match_side candidate;
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":slot", slot);
    database_bind_text(list, ":worked", match_text(&side->worked));
    database_bind_text(list, ":station", match_text(&side->station));
    database_bind_integer(list, ":limit", CANDIDATES_MAX);
    while (database_next(store->database, list, &result)) {
        struct qso qso;
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, database_read_text(list, "callsign"), &candidate);
        consider(nearest, database_read_integer(list, "id"), side, &candidate);
    }
    return result;
}

/* The claim is free. A station that is a member's callsign is that member's alone to confirm, and
 * src/store/peers.c takes no claim of it; one that is added later changes nothing that is there. */
static enum store_result seek_qso(struct transaction *transaction, int64_t claim,
                                  const struct match_side *side)
{
    struct nearest nearest = {0};
    enum store_result result = STORE_DONE;
    int64_t last = match_slot(side->qso_at_ms + MATCH_WINDOW_MS);
    for (int64_t slot = match_slot(side->qso_at_ms - MATCH_WINDOW_MS);
         slot <= last && result == STORE_DONE; slot++)
        result = search_slot(transaction->store, slot, side, &nearest);
    if (result == STORE_DONE && nearest.id)
        result = set_qso(transaction, claim, nearest.id);
    return result == STORE_DONE && nearest.id ? set_time(transaction, nearest.id) : result;
}

enum store_result claims_offer(struct transaction *transaction, int64_t claim)
{
    struct match_side side;
    int64_t qso_id;
    enum store_result result = claim ? find_claim(transaction, claim, &side, &qso_id) : STORE_NONE;
    if (result == STORE_DONE && !qso_id)
        result = seek_qso(transaction, claim, &side);
    return result == STORE_NONE ? STORE_DONE : result;
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
        result = claims_withdraw(transaction, claim);
    return result == STORE_DONE ? seek_qso(transaction, claim, &side) : result;
}

enum store_result claims_withdraw(struct transaction *transaction, int64_t claim)
{
    struct match_side side;
    struct owned_qso qso = {0};
    struct claim_change change = {0};
    int64_t qso_id;
    bool own = false;
    enum store_result result = find_claim(transaction, claim, &side, &qso_id);
    if (result != STORE_DONE || !qso_id)
        return result;
    result = partners_find_qso(transaction->store, qso_id, &qso);
    if (result == STORE_DONE && qso.member_active && qso.side.confirmable)
        result = is_own_callsign(transaction->store, qso.member_id, &qso.side.station, &own);
    if (result == STORE_DONE && own)
        result = find_free_claim(transaction, &qso.side, &change.made);
    if (result == STORE_DONE)
        result = set_qso(transaction, claim, 0);
    if (result == STORE_DONE && change.made)
        result = set_qso(transaction, change.made, qso_id);
    return result == STORE_DONE ? set_time(transaction, qso_id) : result;
}
