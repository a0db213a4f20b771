/* A QSO is confirmed by exactly one other, of another member; both rows point at each other.
 *
 * qso/match.c decides which QSOs match, partners.c who may use which callsign. A better candidate
 * that comes later never ends a confirmation; only a write to one of the two QSOs can. */
#include "store/confirmations.h"

#include "qso/match.h"
#include "store/columns.h"
#include "store/partners.h"
#include "store/store.h"

/* A stored QSO and its member. */
struct owned_qso {
    int64_t id;
    int64_t member_id;
    bool member_active;
    struct match_side side;
};

static enum store_result set_partner(struct transaction *transaction, int64_t id, int64_t partner)
{
    struct store *store = transaction->store;
    struct statement *update =
        database_statement(store->database, STATEMENT_UPDATE_QSO_CONFIRMATION);
    database_bind_integer(update, ":id", id);
    database_bind_integer(update, ":synced_at", transaction->stamp_ms);
    if (partner) {
        database_bind_integer(update, ":confirmed_by", partner);
        database_bind_integer(update, ":cross_confirmed_at", transaction->written_at_ms);
    } else {
        database_bind_null(update, ":confirmed_by");
        database_bind_null(update, ":cross_confirmed_at");
    }
    enum store_result result = database_run(store->database, update);
    if (result != STORE_DONE)
        return result;
    struct statement *revise =
        database_statement(store->database, STATEMENT_UPDATE_LOG_REVISION_OF_QSO);
    database_bind_integer(revise, ":id", id);
    database_bind_integer(revise, ":log_revision", transaction->stamp_ms);
    return database_run(store->database, revise);
}

static enum store_result find_owned(struct store *store, int64_t id, struct owned_qso *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_QSO_BY_ID);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN
                                    : result; /* an index names a row that does not exist */
    struct qso qso;
    columns_read_qso(&store->columns, find, &qso);
    out->id = id;
    out->member_id = database_read_integer(find, "member_id");
    out->member_active = database_read_integer(find, "active") != 0;
    match_read_side(&qso, database_read_text(find, "callsign"), &out->side);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

static enum store_result make_pair(struct transaction *transaction, int64_t id, int64_t partner)
{
    enum store_result result = set_partner(transaction, id, partner);
    if (result == STORE_DONE)
        result = set_partner(transaction, partner, id);
    return result;
}

enum store_result confirmations_end(struct transaction *transaction, int64_t id,
                                    int64_t confirmed_by)
{
    partners_reset(transaction, NULL);
    enum store_result result = set_partner(transaction, id, 0);
    if (result == STORE_DONE)
        result = set_partner(transaction, confirmed_by, 0);
    return result;
}

enum store_result confirmations_pair_again(struct transaction *transaction, int64_t id)
{
    struct owned_qso owned;
    int64_t partner = 0;
    enum store_result result = find_owned(transaction->store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = partners_find(transaction, owned.member_id, &owned.side, &partner);
    if (result == STORE_DONE && partner)
        result = make_pair(transaction, id, partner);
    return result;
}

static enum store_result still_holds(struct store *store, int64_t member_id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     bool *holds)
{
    struct owned_qso partner;
    enum store_result result = find_owned(store, confirmed_by, &partner);
    *holds = result == STORE_DONE && match_confirms(side, &partner.side);
    if (*holds)
        result = partners_may_use(store, member_id, &side->station, holds);
    if (result == STORE_DONE && *holds)
        result = partners_may_use(store, partner.member_id, &side->worked, holds);
    return result;
}

enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change)
{
    bool holds = false;
    *change = (struct confirmation_change){0};
    if (confirmed_by) {
        enum store_result result =
            still_holds(transaction->store, member_id, side, confirmed_by, &holds);
        if (result != STORE_DONE || holds)
            return result;
    }
    change->ended = confirmed_by;
    return partners_find(transaction, member_id, side, &change->made);
}

enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change)
{
    enum store_result result = STORE_DONE;
    if (change->ended)
        result = confirmations_end(transaction, id, change->ended);
    if (result == STORE_DONE && change->made)
        result = make_pair(transaction, id, change->made);
    if (result == STORE_DONE && change->ended)
        result = confirmations_pair_again(transaction, change->ended);
    return result;
}

enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by)
{
    struct confirmation_change change;
    struct owned_qso owned;
    enum store_result result = find_owned(transaction->store, id, &owned);
    if (result == STORE_DONE)
        result =
            confirmations_plan(transaction, owned.member_id, &owned.side, confirmed_by, &change);
    if (result == STORE_DONE && !owned.member_active)
        change.made = 0;
    if (result == STORE_DONE)
        result = confirmations_apply(transaction, id, &change);
    return result;
}
