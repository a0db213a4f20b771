/* A QSO is confirmed by exactly one other, of another member; both rows point at each other.
 *
 * What makes two QSOs a pair is decided in qso/match.c. A pair that holds is never broken by a
 * better candidate that comes later; only a write to one of the two can end it. */
#include "store/confirmations.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/bind.h"

/* A QSO with whose it is. */
struct owned_qso {
    struct qso qso;
    int64_t id;
    int64_t member_id;
    bool member_active;
    struct text member_callsign;
};

static enum store_result set_partner(struct store *store, int64_t stamp_ms, int64_t id,
                                     int64_t partner)
{
    struct statement *update = database_statement(store, STATEMENT_UPDATE_QSO_CONFIRMATION);
    database_bind_integer(update, ":id", id);
    database_bind_integer(update, ":synced_at", stamp_ms);
    if (partner) {
        database_bind_integer(update, ":confirmed_by", partner);
        database_bind_integer(update, ":cross_confirmed_at", stamp_ms);
    } else {
        sqlite3_bind_null(update->handle,
                          sqlite3_bind_parameter_index(update->handle, ":confirmed_by"));
        sqlite3_bind_null(update->handle,
                          sqlite3_bind_parameter_index(update->handle, ":cross_confirmed_at"));
    }
    enum store_result result = database_run(store, update);
    if (result != STORE_DONE)
        return result;
    struct statement *revise = database_statement(store, STATEMENT_UPDATE_LOG_REVISION_OF_QSO);
    database_bind_integer(revise, ":id", id);
    database_bind_integer(revise, ":log_revision", stamp_ms);
    return database_run(store, revise);
}

static void read_owned(const struct statement *statement, struct owned_qso *out)
{
    bind_read_qso(statement, &out->qso);
    out->id = out->qso.values[FIELD_ID].integer;
    out->member_id = sqlite3_column_int64(statement->handle, 0);
    out->member_active = sqlite3_column_int64(statement->handle, 1) != 0;
    out->member_callsign = database_column_text(statement, 2);
}

/* The texts of the QSO are valid until the statement is used again. */
static enum store_result find_owned(struct store *store, int64_t id, struct owned_qso *out)
{
    struct statement *find = database_statement(store, STATEMENT_FIND_QSO_BY_ID);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store, find);
    if (result == STORE_DONE)
        read_owned(find, out);
    return result;
}

/* The best candidate so far. */
struct nearest {
    int64_t id; /* 0: none */
    int64_t distance_ms;
};

static void consider(const struct owned_qso *owned, const struct owned_qso *candidate,
                     struct nearest *nearest)
{
    int64_t distance_ms = llabs(candidate->qso.values[FIELD_QSO_AT].integer -
                                owned->qso.values[FIELD_QSO_AT].integer);
    bool nearer = !nearest->id || distance_ms < nearest->distance_ms ||
                  (distance_ms == nearest->distance_ms && candidate->id < nearest->id);
    if (nearer && match_confirms(&owned->qso, owned->member_callsign, &candidate->qso,
                                 candidate->member_callsign))
        *nearest = (struct nearest){candidate->id, distance_ms};
}

static enum store_result search_slot(struct store *store, const struct owned_qso *owned,
                                     int64_t match_key, struct nearest *nearest)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_CONFIRMATION_CANDIDATES);
    struct owned_qso candidate;
    enum store_result result;
    database_bind_integer(list, ":match_key", match_key);
    database_bind_integer(list, ":member_id", owned->member_id);
    while ((result = database_step(store, list)) == STORE_DONE) {
        read_owned(list, &candidate);
        consider(owned, &candidate, nearest);
    }
    sqlite3_reset(list->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* The free QSO of another active member that matches: the nearest in time, then the oldest; 0:
 * none. A slot at a time, since for a list of three keys SQLite would build a table of its own. */
static enum store_result find_partner(struct store *store, const struct owned_qso *owned,
                                      int64_t *partner)
{
    struct match_keys keys;
    struct nearest nearest = {0};
    enum store_result result = STORE_DONE;
    if (match_make_keys(&owned->qso, owned->member_callsign, &keys))
        for (int i = 0; i < MATCH_SLOTS && result == STORE_DONE; i++)
            result = search_slot(store, owned, keys.partner[i], &nearest);
    *partner = nearest.id;
    return result;
}

static enum store_result make_pair(struct store *store, int64_t stamp_ms, int64_t id,
                                   int64_t partner)
{
    enum store_result result = set_partner(store, stamp_ms, id, partner);
    if (result == STORE_DONE)
        result = set_partner(store, stamp_ms, partner, id);
    return result;
}

enum store_result confirmations_end(struct store *store, int64_t stamp_ms, int64_t id,
                                    int64_t confirmed_by)
{
    enum store_result result = set_partner(store, stamp_ms, id, 0);
    if (result == STORE_DONE)
        result = set_partner(store, stamp_ms, confirmed_by, 0);
    return result;
}

enum store_result confirmations_pair_again(struct store *store, int64_t stamp_ms, int64_t id)
{
    struct owned_qso owned;
    int64_t partner = 0;
    enum store_result result = find_owned(store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = find_partner(store, &owned, &partner);
    sqlite3_reset(store->statements[STATEMENT_FIND_QSO_BY_ID].handle);
    if (result == STORE_DONE && partner)
        result = make_pair(store, stamp_ms, id, partner);
    return result;
}

static enum store_result still_holds(struct store *store, const struct owned_qso *owned,
                                     int64_t confirmed_by, bool *holds)
{
    struct owned_qso partner;
    enum store_result result = find_owned(store, confirmed_by, &partner);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    *holds =
        match_confirms(&owned->qso, owned->member_callsign, &partner.qso, partner.member_callsign);
    sqlite3_reset(store->statements[STATEMENT_FIND_QSO_BY_ID].handle);
    return STORE_DONE;
}

enum store_result confirmations_foresee(struct store *store, const struct identity *member,
                                        const struct qso *qso, int64_t confirmed_by,
                                        struct confirmation_change *change)
{
    struct owned_qso owned = {
        .qso = *qso, .member_id = member->member_id, .member_callsign = member->callsign};
    bool holds = false;
    enum store_result result = STORE_DONE;
    *change = (struct confirmation_change){0};
    if (confirmed_by)
        result = still_holds(store, &owned, confirmed_by, &holds);
    if (result != STORE_DONE || holds)
        return result;
    change->ended = confirmed_by;
    return find_partner(store, &owned, &change->made);
}

enum store_result confirmations_apply(struct store *store, int64_t stamp_ms, int64_t id,
                                      const struct confirmation_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended)
        result = confirmations_end(store, stamp_ms, id, change->ended);
    if (result == STORE_DONE && change->made)
        result = make_pair(store, stamp_ms, id, change->made);
    if (result == STORE_DONE && change->ended)
        result = confirmations_pair_again(store, stamp_ms, change->ended);
    return result;
}
