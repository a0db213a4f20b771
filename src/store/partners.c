/* Looks for the other side of a contact among other members' QSOs. The cost does not depend on
 * their number: each step asks the index for the one QSO that is nearest in time among those that
 * are equal in everything else that decides. When two QSOs match is decided in src/qso/match.c. */
#include "store/confirmations.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/store.h"

/* How many members are examined who use a callsign that is no member's. */
#define OPERATORS_MAX 16

enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed)
{
    enum store_result result = STORE_DONE;
    bool owned = false, own = false;
    struct statement *list =
        store_with(store, STATEMENT_LIST_CALLSIGN_OWNERS, BIND("callsign", match_text(callsign)));
    while (database_next(store->database, list, &result)) {
        owned = true;
        own = own || database_read_integer(list, "id") == member_id;
    }
    *allowed = own || !owned;
    return result;
}

/* Looks for the other side of a member's QSO. */
struct search {
    struct transaction *transaction;
    struct database *database;
    int64_t member_id;
    const struct match_side *side;
    int64_t first_slot, last_slot; /* the bounds of time */
    int64_t id;                    /* the nearest in time so far, then the oldest; 0: none */
    int64_t distance_ms;
};

static struct statement *begin_step(const struct search *search, enum statement_name name,
                                    int64_t slot)
{
    struct statement *statement = store_with(search, name, BIND("slot", slot),
                                             BIND("station", match_text(&search->side->station)));
    return statement;
}

/* QSOs that are equal in everything that decides but the time. */
struct group {
    int64_t slot;
    int64_t member_id;
    bool named; /* with an operator callsign; otherwise under the member's own */
    int64_t mode_family;
};

/* As in the schema: contact_kind has so many places for each channel, of no mode and of each. */
#define CONTACT_KIND_MODES 8
_Static_assert(MODE_COUNT < CONTACT_KIND_MODES,
               "a migration must widen contact_kind: it has no place for one mode more");

static int64_t kind_of(const struct search *search, const struct group *group)
{
    int64_t mode = group->mode_family == MATCH_NO_MODE ? 0 : group->mode_family + 1;
    return search->side->channel * CONTACT_KIND_MODES + mode;
}

static struct statement *begin_group(const struct search *search, enum statement_name name,
                                     const struct group *group, int64_t from_ms, int64_t to_ms)
{
    struct statement *find = begin_step(search, name, group->slot);
    database_bind_text(find, ":operator",
                       group->named ? match_text(&search->side->worked) : (struct text){0});
    database_bind_integer(find, ":member_id", group->member_id);
    database_bind_integer(find, ":contact_kind", kind_of(search, group));
    database_bind_integer(find, ":from", from_ms);
    database_bind_integer(find, ":to", to_ms);
    return find;
}

/* The oldest of those at the first time not before from_ms. */
static enum store_result search_from(struct search *search, const struct group *group,
                                     int64_t from_ms)
{
    const int64_t at_ms = search->side->qso_at_ms;
    struct statement *find =
        begin_group(search, STATEMENT_FIND_CONTACT_FROM, group, from_ms, at_ms + MATCH_WINDOW_MS);
    enum store_result result = database_step(search->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    int64_t id = database_read_integer(find, "id");
    int64_t distance_ms = llabs(database_read_integer(find, "qso_at") - at_ms);
    sqlite3_reset(find->handle);
    if (!search->id || distance_ms < search->distance_ms ||
        (distance_ms == search->distance_ms && id < search->id)) {
        search->id = id;
        search->distance_ms = distance_ms;
    }
    return STORE_DONE;
}

static enum store_result search_group(struct search *search, const struct group *group)
{
    const int64_t at_ms = search->side->qso_at_ms;
    enum store_result result = search_from(search, group, at_ms);
    if (result != STORE_DONE)
        return result;
    struct statement *find = begin_group(search, STATEMENT_FIND_TIME_OF_CONTACT_BEFORE, group,
                                         at_ms - MATCH_WINDOW_MS, at_ms);
    int64_t before_ms = 0;
    result = database_find_integer(search->database, find, "qso_at", &before_ms);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    return search_from(search, group, before_ms);
}

static enum store_result search_modes(struct search *search, struct group *group)
{
    int64_t families[MATCH_FAMILIES_MAX];
    size_t count = match_list_families(search->side, families);
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < count && result == STORE_DONE; i++) {
        group->mode_family = families[i];
        result = search_group(search, group);
    }
    return result;
}

/* Usually this member has not worked the station at about this time, so that is asked first. */
static enum store_result search_slot(struct search *search, struct group *group)
{
    struct statement *any = begin_step(search, STATEMENT_HAS_CONTACT, group->slot);
    database_bind_integer(any, ":member_id", group->member_id);
    enum store_result result = database_step(search->database, any);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    sqlite3_reset(any->handle);
    for (int named = 0; named <= 1 && result == STORE_DONE; named++) {
        group->named = named;
        result = search_modes(search, group);
    }
    return result;
}

/* The callsign worked is this member's own. */
static enum store_result search_owner(struct search *search, int64_t member_id)
{
    struct group group = {.slot = search->first_slot, .member_id = member_id};
    enum store_result result = STORE_DONE;
    for (; group.slot <= search->last_slot && result == STORE_DONE; group.slot++)
        result = search_slot(search, &group);
    return result;
}

static enum store_result find_next_operator(struct search *search, struct group *group,
                                            bool *active)
{
    struct statement *find = begin_step(search, STATEMENT_FIND_NEXT_OPERATOR, group->slot);
    database_bind_text(find, ":operator", match_text(&search->side->worked));
    database_bind_integer(find, ":after", group->member_id);
    enum store_result result = database_step(search->database, find);
    if (result != STORE_DONE)
        return result;
    group->member_id = database_read_integer(find, "member_id");
    *active = database_read_integer(find, "active") != 0;
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

static bool is_without_operators(const struct transaction *transaction,
                                 const struct match_callsign *station)
{
    return match_equal_callsigns(&transaction->without_operators, station);
}

void partners_reset(struct transaction *transaction, const struct match_callsign *worked)
{
    if (!worked || is_without_operators(transaction, worked))
        transaction->without_operators.length = 0;
}

/* Usually nobody has ever logged this station under a callsign other than their own. That is asked
 * once in a transaction, not for each entry of a batch. */
static enum store_result find_operators(struct search *search, bool *found)
{
    const struct match_callsign *station = &search->side->station;
    *found = !is_without_operators(search->transaction, station);
    if (!*found)
        return STORE_DONE;
    struct statement *any =
        store_with(search, STATEMENT_HAS_OPERATOR, BIND("station", match_text(station)));
    enum store_result result = database_step(search->database, any);
    *found = result != STORE_NONE;
    if (result == STORE_DONE)
        sqlite3_reset(any->handle);
    if (result == STORE_NONE)
        search->transaction->without_operators = *station;
    return result == STORE_NONE ? STORE_DONE : result;
}

/* The callsign worked is no member's: anybody may have used it. */
static enum store_result search_operators(struct search *search, int64_t slot)
{
    struct group group = {.slot = slot, .named = true};
    enum store_result result = STORE_DONE;
    bool active;
    for (int i = 0; i < OPERATORS_MAX && result == STORE_DONE; i++) {
        result = find_next_operator(search, &group, &active);
        if (result == STORE_DONE && active && group.member_id != search->member_id)
            result = search_modes(search, &group);
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result search_all(struct search *search)
{
    enum store_result result = STORE_DONE;
    bool owned = false;
    struct statement *owners = store_with(search, STATEMENT_LIST_CALLSIGN_OWNERS,
                                          BIND("callsign", match_text(&search->side->worked)));
    while (database_next(search->database, owners, &result)) {
        int64_t member_id = database_read_integer(owners, "id");
        owned = true;
        if (member_id != search->member_id && database_read_integer(owners, "active"))
            result = search_owner(search, member_id);
    }
    bool found = false;
    if (result == STORE_DONE && !owned)
        result = find_operators(search, &found);
    for (int64_t slot = search->first_slot; slot <= search->last_slot && found; slot++)
        THEN(result, search_operators(search, slot));
    return result;
}

/* The free QSO of another active member that matches this side of a member's contact: the nearest
 * in time, then the oldest; 0: none. */
static enum store_result find_partner(struct transaction *transaction, int64_t member_id,
                                      const struct match_side *side, int64_t *partner)
{
    *partner = 0;
    if (!side->confirmable)
        return STORE_DONE;
    struct search search = {.transaction = transaction,
                            .database = transaction->store->database,
                            .member_id = member_id,
                            .side = side,
                            .first_slot = match_slot(side->qso_at_ms - MATCH_WINDOW_MS),
                            .last_slot = match_slot(side->qso_at_ms + MATCH_WINDOW_MS)};
    bool allowed = false;
    enum store_result result = search_all(&search);
    if (result == STORE_DONE && search.id)
        result = partners_may_use(transaction->store, member_id, &side->station, &allowed);
    if (allowed)
        *partner = search.id;
    return result;
}

/* -- Confirming -------------------------------------------------------------------------------- */

/* A QSO is confirmed by exactly one other, of another member; both rows point at each other.
 *
 * qso/match.c decides which QSOs match, partners.c who may use which callsign. A better candidate
 * that comes later never ends a confirmation; only a write to one of the two QSOs can. */

static enum store_result set_partner(struct transaction *transaction, int64_t id, int64_t partner)
{
    struct store *store = transaction->store;
    enum store_result result =
        store_run(store, STATEMENT_UPDATE_QSO_CONFIRMATION, BIND("id", id),
                  BIND("synced_at", transaction->stamp_ms), BIND_OR_NULL("confirmed_by", partner),
                  BIND_OR_NULL("paired_at", partner ? transaction->written_at_ms : 0));
    if (result != STORE_DONE)
        return result;
    return store_run(store, STATEMENT_UPDATE_LOG_REVISION_OF_QSO, BIND("id", id),
                     BIND("log_revision", transaction->stamp_ms));
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

static enum store_result make_pair(struct transaction *transaction, int64_t id, int64_t partner)
{
    enum store_result result = set_partner(transaction, id, partner);
    return THEN(result, set_partner(transaction, partner, id));
}

enum store_result confirmations_end(struct transaction *transaction, int64_t id,
                                    int64_t confirmed_by)
{
    partners_reset(transaction, NULL);
    enum store_result result = set_partner(transaction, id, 0);
    return THEN(result, set_partner(transaction, confirmed_by, 0));
}

enum store_result confirmations_pair_again(struct transaction *transaction, int64_t id)
{
    struct owned_qso owned;
    int64_t partner = 0;
    enum store_result result = partners_find_qso(transaction->store, id, &owned);
    if (result == STORE_DONE && owned.member_active)
        result = find_partner(transaction, owned.member_id, &owned.side, &partner);
    if (result == STORE_DONE && partner)
        result = make_pair(transaction, id, partner);
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
    if (result == STORE_DONE && *holds)
        result = partners_may_use(store, partner.member_id, &side->worked, holds);
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
        result = make_pair(transaction, id, change->made);
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
