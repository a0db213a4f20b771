/* Looks for the other side of a contact among other members' QSOs. The cost does not depend on the
 * number of these QSOs. Each step finds, in the index, the QSO that is nearest in time among the
 * QSOs with equal values in all other deciding fields. src/qso/match.c decides whether two QSOs
 * match. */
#include "store/confirm/partners.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/store.h"

/* The maximum number of members who are examined for a callsign that belongs to no member. */
#define OPERATORS_MAX 16

enum store_result partners_may_use(struct store *store, int64_t member_id,
                                   const struct match_callsign *callsign, bool *allowed)
{
    return store_has(store, allowed, STATEMENT_MAY_USE_CALLSIGN,
                     BIND("callsign", match_text(callsign)), BIND("member_id", member_id));
}

/* The number of contact_kind values per channel, as in the schema: one value for no mode, and one
 * for each mode. */
#define CONTACT_KIND_MODES 8
_Static_assert(MODE_COUNT < CONTACT_KIND_MODES,
               "contact_kind has no place for another mode: widen it in a migration");

/* A search for the other side of a member's QSO. */
struct search {
    struct store *store;
    int64_t member_id;
    const struct match_side *side;
    int64_t id; /* best QSO so far; 0: none */
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

/* Searches a member's QSOs in a slot: either QSOs whose station callsign is the callsign worked
 * (`named`), or QSOs without a station callsign. */
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

/* Searches the QSOs of the member whose own callsign is the callsign worked. Usually this member
 * has no QSO with the station at about this time, so this function checks that first. */
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

/* Stores in *found whether a member has logged this station under a callsign other than their own.
 * Usually no member has, and one query per transaction is then enough for all entries of a
 * batch. */
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

/* Searches the QSOs of at most OPERATORS_MAX members who have used the callsign worked, which
 * belongs to no member. */
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

enum store_result partners_find(struct transaction *transaction, int64_t member_id,
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

enum store_result partners_find_qso(struct store *store, int64_t id, struct owned_qso *out)
{
    struct statement *find = store_with(store, STATEMENT_FIND_QSO_BY_ID, BIND("id", id));
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN
                                    : result; /* another row refers to a QSO that does not exist */
    struct qso qso;
    columns_read_qso(&store->columns, find, &qso);
    out->member_id = database_read_integer(find, "member_id");
    out->member_active = database_read_integer(find, "active") != 0;
    match_read_side(&qso, database_read_text(find, "callsign"), &out->side);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}
