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

/* The free QSO of another active member that matches: the nearest in time, then the oldest. */
static enum store_result find_partner(struct store *store, const struct owned_qso *owned,
                                      const struct match_keys *keys, int64_t *partner)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_CONFIRMATION_CANDIDATES);
    database_bind_integer(list, ":key_before", keys->partner[0]);
    database_bind_integer(list, ":key_same", keys->partner[1]);
    database_bind_integer(list, ":key_after", keys->partner[2]);
    database_bind_integer(list, ":member_id", owned->member_id);

    int64_t nearest_ms = INT64_MAX;
    enum store_result result;
    *partner = 0;
    while ((result = database_step(store, list)) == STORE_DONE) {
        struct owned_qso candidate;
        read_owned(list, &candidate);
        int64_t distance_ms = llabs(candidate.qso.values[FIELD_QSO_AT].integer -
                                    owned->qso.values[FIELD_QSO_AT].integer);
        bool nearer =
            distance_ms < nearest_ms || (distance_ms == nearest_ms && candidate.id < *partner);
        if (nearer && match_confirms(&owned->qso, owned->member_callsign, &candidate.qso,
                                     candidate.member_callsign)) {
            nearest_ms = distance_ms;
            *partner = candidate.id;
        }
    }
    sqlite3_reset(list->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result pair(struct store *store, int64_t stamp_ms, const struct owned_qso *owned)
{
    struct match_keys keys;
    int64_t partner;
    if (!match_make_keys(&owned->qso, owned->member_callsign, &keys))
        return STORE_DONE;
    int64_t id = owned->id;
    enum store_result result = find_partner(store, owned, &keys, &partner);
    if (result == STORE_DONE && partner)
        result = set_partner(store, stamp_ms, id, partner);
    if (result == STORE_DONE && partner)
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
    enum store_result result = find_owned(store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = pair(store, stamp_ms, &owned);
    sqlite3_reset(store->statements[STATEMENT_FIND_QSO_BY_ID].handle);
    return result;
}

enum store_result confirmations_review(struct store *store, const struct identity *member,
                                       int64_t stamp_ms, const struct qso *qso,
                                       int64_t confirmed_by)
{
    struct owned_qso owned = {.qso = *qso,
                              .id = qso->values[FIELD_ID].integer,
                              .member_id = member->member_id,
                              .member_active = true,
                              .member_callsign = member->callsign};
    if (!confirmed_by)
        return pair(store, stamp_ms, &owned);

    struct owned_qso partner;
    enum store_result result = find_owned(store, confirmed_by, &partner);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    bool holds = match_confirms(qso, member->callsign, &partner.qso, partner.member_callsign);
    sqlite3_reset(store->statements[STATEMENT_FIND_QSO_BY_ID].handle);
    if (holds)
        return STORE_DONE;
    result = confirmations_end(store, stamp_ms, owned.id, confirmed_by);
    if (result == STORE_DONE)
        result = pair(store, stamp_ms, &owned);
    if (result == STORE_DONE)
        result = confirmations_pair_again(store, stamp_ms, confirmed_by);
    return result;
}
