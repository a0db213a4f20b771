/* Looks for the other side of a contact among other members' QSOs. The cost does not depend on
 * their number. Each step asks the index for the one QSO that is nearest in time among the QSOs
 * with equal values in all other deciding fields. src/qso/match.c decides when two QSOs match. */
#include "store/confirmations.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/store.h"

/* Maximum of members examined who use a callsign that belongs to no member. */
#define OPERATORS_MAX 16

enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed)
{
    return store_has(store, allowed, STATEMENT_MAY_USE_CALLSIGN,
                     BIND("callsign", match_text(callsign)), BIND("member_id", member_id));
}

/* As in the schema: contact_kind has this many values for each channel, for no mode and each mode.
 */
#define CONTACT_KIND_MODES 8
_Static_assert(MODE_COUNT < CONTACT_KIND_MODES,
               "a migration must widen contact_kind: it has no place for one mode more");

/* Looks for the other side of a member's QSO. */
struct search {
    struct store *store;
    int64_t member_id;
    const struct match_side *side;
    int64_t id; /* the nearest in time so far, then the oldest; 0: none */
    int64_t distance_ms;
};

static void consider(struct search *search, int64_t id, int64_t distance_ms)
{
    if (search->id && (distance_ms > search->distance_ms ||
                       (distance_ms == search->distance_ms && id > search->id)))
        return;
    search->id = id;
    search->distance_ms = distance_ms;
}

/* Among a member's QSOs of a slot that name the callsign worked as the station (`named`), or name
 * none. */
static enum store_result search_slot(struct search *search, int64_t slot, int64_t member_id,
                                     bool named)
{
    const int64_t at_ms = search->side->qso_at_ms;
    int64_t families[MATCH_FAMILIES_MAX];
    const size_t count = match_list_families(search->side, families);
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < count && result == STORE_DONE; i++) {
        const int64_t mode = families[i] == MATCH_NO_MODE ? 0 : families[i] + 1;
        struct statement *list = store_with(
            search->store, STATEMENT_LIST_CONTACTS, BIND("member_id", member_id),
            BIND("slot", slot), BIND("station", match_text(&search->side->station)),
            BIND("operator", named ? match_text(&search->side->worked) : (struct text){0}),
            BIND("contact_kind", search->side->channel * CONTACT_KIND_MODES + mode),
            BIND("from", at_ms - MATCH_WINDOW_MS), BIND("at", at_ms),
            BIND("to", at_ms + MATCH_WINDOW_MS));
        while (database_next(search->store->database, list, &result))
            consider(search, database_read_integer(list, "id"),
                     llabs(database_read_integer(list, "qso_at") - at_ms));
    }
    return result;
}

/* The callsign worked is this member's own. Usually the member has not worked the station at about
 * this time, so that is asked first. */
static enum store_result search_owner(struct search *search, int64_t slot, int64_t member_id)
{
    bool any = false;
    enum store_result result =
        store_has(search->store, &any, STATEMENT_HAS_CONTACT, BIND("member_id", member_id),
                  BIND("slot", slot), BIND("station", match_text(&search->side->station)));
    for (int named = 0; named <= 1 && any; named++)
        THEN(result, search_slot(search, slot, member_id, named));
    return result;
}

void partners_reset(struct transaction *transaction, const struct match_callsign *worked)
{
    if (!worked || match_equal_callsigns(&transaction->without_operators, worked))
        transaction->without_operators.length = 0;
}

/* Usually nobody has ever logged this station under a callsign other than their own. That is asked
 * once in a transaction, not for each entry of a batch. */
static enum store_result has_operators(struct transaction *transaction,
                                       const struct match_callsign *station, bool *found)
{
    *found = false;
    if (match_equal_callsigns(&transaction->without_operators, station))
        return STORE_DONE;
    enum store_result result = store_has(transaction->store, found, STATEMENT_HAS_OPERATOR,
                                         BIND("station", match_text(station)));
    if (result == STORE_DONE && !*found)
        transaction->without_operators = *station;
    return result;
}

struct candidate {
    int64_t member_id;
    bool active;
};

/* The callsign worked belongs to no member: any member may have used it. */
static enum store_result search_operators(struct search *search, int64_t slot)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(candidate, member_id, "member_id"), COLUMN(candidate, active, "active"));
    struct candidate found = {0};
    enum store_result result = STORE_DONE;
    for (int i = 0; i < OPERATORS_MAX && result == STORE_DONE; i++) {
        result = store_find(search->store, columns, NULL, &found, STATEMENT_FIND_NEXT_OPERATOR,
                            BIND("slot", slot), BIND("station", match_text(&search->side->station)),
                            BIND("operator", match_text(&search->side->worked)),
                            BIND("after", found.member_id));
        if (found.active && found.member_id != search->member_id)
            THEN(result, search_slot(search, slot, found.member_id, true));
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result search_all(struct transaction *transaction, struct search *search)
{
    const int64_t first_slot = match_slot(search->side->qso_at_ms - MATCH_WINDOW_MS),
                  last_slot = match_slot(search->side->qso_at_ms + MATCH_WINDOW_MS);
    enum store_result result = STORE_DONE;
    bool owned = false, operated = false;
    struct statement *owners = store_with(search->store, STATEMENT_LIST_CALLSIGN_OWNERS,
                                          BIND("callsign", match_text(&search->side->worked)));
    while (database_next(search->store->database, owners, &result)) {
        const int64_t member_id = database_read_integer(owners, "id");
        owned = true;
        if (member_id != search->member_id && database_read_integer(owners, "active"))
            for (int64_t slot = first_slot; slot <= last_slot; slot++)
                THEN(result, search_owner(search, slot, member_id));
    }
    if (!owned)
        THEN(result, has_operators(transaction, &search->side->station, &operated));
    for (int64_t slot = first_slot; slot <= last_slot && operated; slot++)
        THEN(result, search_operators(search, slot));
    return result;
}

/* The free QSO of another active member that matches this side of a member's contact: the nearest
 * in time, then the oldest; 0: none. */
static enum store_result find_partner(struct transaction *transaction, int64_t member_id,
                                      const struct match_side *side, int64_t *partner)
{
    struct search search = {.store = transaction->store, .member_id = member_id, .side = side};
    bool allowed = false;
    *partner = 0;
    if (!side->confirmable)
        return STORE_DONE;
    enum store_result result = search_all(transaction, &search);
    if (search.id)
        THEN(result, partners_may_use(transaction->store, member_id, &side->station, &allowed));
    if (allowed)
        *partner = search.id;
    return result;
}

/* -- Confirming -------------------------------------------------------------------------------- */

/* Exactly one QSO of another member confirms a QSO, and the two rows reference each other.
 *
 * qso/match.c decides which QSOs match, partners.c who may use which callsign. A better candidate
 * that comes later never ends a confirmation; only a write to one of the two QSOs can. */

/* Sets or clears the confirmation in both rows. */
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

enum store_result partners_find_qso(struct store *store, int64_t id, struct owned_qso *out)
{
    struct statement *find = store_with(store, STATEMENT_FIND_QSO_BY_ID, BIND("id", id));
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN
                                    : result; /* an index names a row that does not exist */
    struct qso qso;
    columns_read_qso(&store->columns, find, &qso);
    out->member_id = database_read_integer(find, "member_id");
    out->member_active = database_read_integer(find, "active") != 0;
    match_read_side(&qso, database_read_text(find, "callsign"), &out->side);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result confirmations_end(struct transaction *transaction, int64_t id,
                                    int64_t confirmed_by)
{
    partners_reset(transaction, NULL);
    return set_pair(transaction, id, confirmed_by, false);
}

enum store_result confirmations_pair_again(struct transaction *transaction, int64_t id)
{
    struct owned_qso owned;
    int64_t partner = 0;
    enum store_result result = partners_find_qso(transaction->store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = find_partner(transaction, owned.member_id, &owned.side, &partner);
    if (result == STORE_DONE && partner)
        result = set_pair(transaction, id, partner, true);
    return result;
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
    return find_partner(transaction, member_id, side, &change->made);
}

enum store_result confirmations_apply(struct transaction *transaction, int64_t id,
                                      const struct confirmation_change *change)
{
    enum store_result result = claims_set(transaction, id, &change->claim);
    if (result == STORE_DONE && change->ended)
        result = confirmations_end(transaction, id, change->ended);
    if (result == STORE_DONE && change->made)
        result = set_pair(transaction, id, change->made, true);
    if (result == STORE_DONE && change->ended)
        result = confirmations_pair_again(transaction, change->ended);
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
