/* Finds a member's QSOs that another member's QSO would confirm if it did not fail one rule. */
#include "store/confirm/near_matches.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/confirm/partners.h"
#include "store/store.h"

#define UNCONFIRMED_MAX 5000 /* maximum number of QSOs that are examined for near matches */
/* maximum number of the other member's QSOs that are compared with one QSO */
#define CONTACTS_MAX 20
/* maximum number of the other member's QSOs that are searched if the callsigns differ */
#define AROUND_MAX 1500

/* Stores the rule in *match. If the rule compares a single field, also stores that field and the
 * other member's value. */
static void describe(enum match_rule rule, const struct qso *theirs, struct near_match *match)
{
    static const enum field_index compared[] = {[MATCH_RULE_TIME] = FIELD_QSO_AT,
                                                [MATCH_RULE_BAND] = FIELD_COUNT,
                                                [MATCH_RULE_CHANNEL] = FIELD_CHANNEL,
                                                [MATCH_RULE_MODE] = FIELD_MODE,
                                                [MATCH_RULE_CALLSIGN] = FIELD_COUNT};
    match->rule = match_rule_name(rule);
    match->field = compared[rule];
    if (match->field != FIELD_COUNT)
        match->theirs = theirs->values[match->field];
}

/* Stores in *near whether one of the other member's unconfirmed QSOs fails only one rule for
 * confirming this side, and describes the rule in *match. */
static enum store_result find_failed_rule(struct store *store, int64_t other,
                                          const struct match_side *side, struct near_match *match,
                                          bool *near)
{
    enum match_rule rule;
    const int64_t from_ms = side->qso_at_ms - DATETIME_DAY_MS,
                  to_ms = side->qso_at_ms + DATETIME_DAY_MS;
    struct match_side other_side;
    struct qso qso;
    enum store_result result = STORE_DONE;
    *near = false;
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSOS_OF_CONTACT, BIND("member_id", other),
                   BIND("worked", match_text(&side->station)), BIND("from", from_ms),
                   BIND("to", to_ms), BIND("first_slot", match_slot(from_ms)),
                   BIND("last_slot", match_slot(to_ms)), BIND("limit", CONTACTS_MAX));
    while (database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, match_text(&side->worked), &other_side);
        if (*near || !database_is_null(list, "confirmed_by") ||
            !match_fails_by_one(side, &other_side, &rule))
            continue;
        *near = true;
        describe(rule, &qso, match);
    }
    return result;
}

/* Finds another active member with this callsign. Returns STORE_NONE if no other active member has
 * the callsign. */
static enum store_result find_other(struct store *store, int64_t member_id,
                                    const struct match_callsign *callsign, int64_t *other)
{
    return store_find_integer(store, "id", other, STATEMENT_FIND_OTHER_OWNER_OF_CALLSIGN,
                              BIND("callsign", match_text(callsign)), BIND("member_id", member_id));
}

/* Stores in *near whether one of the other member's QSOs would confirm this side if both members
 * had written the callsigns alike. Reveals only what the member would learn by adopting the other
 * member's spelling. Therefore this member must be allowed to use the callsign that the other
 * member logged, with its prefix and without it. */
static enum store_result find_by_callsign(struct store *store, int64_t member_id,
                                          const struct match_side *side, bool *near)
{
    struct match_callsign base, worked;
    struct match_side other_side;
    struct qso qso;
    int64_t other;
    bool allowed = false;
    match_base_callsign(&side->station, &base);
    match_base_callsign(&side->worked, &worked);
    enum store_result result = partners_may_use(store, member_id, &base, &allowed);
    THEN(result, allowed ? find_other(store, member_id, &worked, &other) : STORE_NONE);
    if (result != STORE_DONE)
        return result;
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSOS_AROUND, BIND("member_id", other),
                   BIND("base", match_text(&base)),
                   BIND("first_slot", match_slot(side->qso_at_ms - MATCH_WINDOW_MS)),
                   BIND("last_slot", match_slot(side->qso_at_ms + MATCH_WINDOW_MS)),
                   BIND("looked_at", AROUND_MAX), BIND("limit", CONTACTS_MAX));
    while (!*near && database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, match_text(&worked), &other_side);
        if (!match_fails_by_callsign(side, &other_side))
            continue;
        result = partners_may_use(store, member_id, &other_side.worked, near);
        if (*near)
            THEN(result, partners_may_use(store, other, &other_side.station, near));
    }
    sqlite3_reset(list->handle);
    return result;
}

/* Stores in *near whether this side has a near match with an active member's QSO, and describes the
 * rule that fails. If the member may not use the side's station callsign, there is no near
 * match. */
static enum store_result find_near_match(struct store *store, int64_t member_id,
                                         const struct match_side *side, struct near_match *match,
                                         bool *near)
{
    bool allowed = false;
    int64_t other;
    *near = false;
    enum store_result result = partners_may_use(store, member_id, &side->station, &allowed);
    if (result != STORE_DONE || !allowed)
        return result;
    result = find_other(store, member_id, &side->worked, &other);
    THEN(result, find_failed_rule(store, other, side, match, near));
    if (!*near && (result == STORE_DONE || result == STORE_NONE)) {
        describe(MATCH_RULE_CALLSIGN, NULL, match);
        result = find_by_callsign(store, member_id, side, near);
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_near_matches(struct store *store, int64_t member_id,
                                          struct text callsign, int64_t limit,
                                          near_match_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct match_side side;
    struct qso qso;
    struct near_match match = {.qso = &qso};
    struct statement *list =
        store_with(store, STATEMENT_LIST_UNCONFIRMED_QSOS, BIND("member_id", member_id),
                   BIND("limit", UNCONFIRMED_MAX));
    while (limit > 0 && database_next(store->database, list, &result)) {
        bool near = false;
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, callsign, &side);
        if (side.confirmable)
            result = find_near_match(store, member_id, &side, &match, &near);
        if (near) {
            visit(context, &match);
            limit--;
        }
    }
    sqlite3_reset(list->handle);
    return result;
}
