/* Pairs QSOs: another member's QSO confirms a QSO, and the two rows reference each other.
 *
 * qso/match.c decides which QSOs match, and partners.c which callsigns a member may use. A better
 * candidate that is saved later never ends a confirmation. Only a write to one of the two QSOs, the
 * deletion of one of them, or a change of members can. */
#include "store/confirm/confirmations.h"

#include "qso/match.h"
#include "store/confirm/claims.h"
#include "store/confirm/partners.h"
#include "store/store.h"

/* Sets or removes the confirmation in the rows of both QSOs. */
static enum store_result set_pair(struct transaction *transaction, int64_t id, int64_t partner,
                                  bool confirms)
{
    struct store *store = transaction->store;
    const int64_t pair[] = {id, partner};
    enum store_result result = STORE_DONE;
    for (int i = 0; i < 2; i++) {
        THEN(result, store_run(store, STATEMENT_UPDATE_QSO_CONFIRMATION, BIND("id", pair[i]),
                               BIND("synced_at", transaction->stamp_ms),
                               BIND_IF(confirms, "confirmed_by", pair[1 - i]),
                               BIND_IF(confirms, "paired_at", transaction->written_at_ms)));
        THEN(result, store_run(store, STATEMENT_UPDATE_LOG_REVISION_OF_QSO, BIND("id", pair[i]),
                               BIND("log_revision", transaction->stamp_ms)));
    }
    return result;
}

static enum store_result end_pair(struct transaction *transaction, int64_t id, int64_t partner)
{
    partners_reset(transaction, NULL);
    return set_pair(transaction, id, partner, false);
}

static enum store_result pair_again(struct transaction *transaction, int64_t id)
{
    struct owned_qso owned;
    int64_t partner = 0;
    enum store_result result = partners_find_qso(transaction->store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = partners_find(transaction, owned.member_id, &owned.side, &partner);
    if (result == STORE_DONE && partner)
        result = set_pair(transaction, id, partner, true);
    return result;
}

enum store_result confirmations_release(struct transaction *transaction, int64_t id,
                                        int64_t confirmed_by, struct released *out)
{
    *out = (struct released){.partner = confirmed_by};
    enum store_result result = claims_release(transaction, id, &out->claim);
    if (result == STORE_DONE && confirmed_by)
        result = end_pair(transaction, id, confirmed_by);
    return result;
}

enum store_result confirmations_pair_again(struct transaction *transaction,
                                           const struct released *released)
{
    enum store_result result = STORE_DONE;
    if (released->partner)
        result = pair_again(transaction, released->partner);
    return THEN(result, claims_offer(transaction, released->claim));
}

static enum store_result still_holds(struct store *store, int64_t member_id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     bool *holds)
{
    struct owned_qso partner;
    enum store_result result = partners_find_qso(store, confirmed_by, &partner);
    *holds = result == STORE_DONE && match_confirms(side, &partner.side);
    if (*holds)
        result = partners_may_use(store, member_id, &side->station, holds);
    if (*holds)
        THEN(result, partners_may_use(store, partner.member_id, &side->worked, holds));
    return result;
}

enum store_result confirmations_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                                     const struct match_side *side, int64_t confirmed_by,
                                     struct confirmation_change *change)
{
    bool holds = false;
    *change = (struct confirmation_change){0};
    enum store_result result = claims_plan(transaction, member_id, id, side, &change->claim);
    if (result == STORE_DONE && confirmed_by)
        result = still_holds(transaction->store, member_id, side, confirmed_by, &holds);
    if (result != STORE_DONE || holds)
        return result;
    change->ended = confirmed_by;
    return partners_find(transaction, member_id, side, &change->made);
}

enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change)
{
    enum store_result result = claims_set(transaction, id, &change->claim);
    if (result == STORE_DONE && change->ended)
        result = end_pair(transaction, id, change->ended);
    if (result == STORE_DONE && change->made)
        result = set_pair(transaction, id, change->made, true);
    if (result == STORE_DONE && change->ended)
        result = pair_again(transaction, change->ended);
    return THEN(result, claims_settle(transaction, id, &change->claim));
}

enum store_result confirmations_review(struct transaction *transaction, int64_t id,
                                       int64_t confirmed_by)
{
    struct confirmation_change change;
    struct owned_qso owned;
    enum store_result result = partners_find_qso(transaction->store, id, &owned);
    THEN(result,
         confirmations_plan(transaction, owned.member_id, id, &owned.side, confirmed_by, &change));
    if (result == STORE_DONE && !owned.member_active)
        change.made = change.claim.made = 0;
    return THEN(result, confirmations_apply(transaction, id, &change));
}
