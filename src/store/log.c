/* A member's own log for display: newest first, by callsign and day, its numbers, its map, and near
 * matches. Only reads; what is shown of a QSO, and how, is left to the pages' routes. What a client
 * synchronises is read by qsos.c, in the order of changes. */
#include "store/log.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/match.h"
#include "store/columns.h"
#include "store/partners.h"
#include "store/store.h"

/* The last code point: sorts after every callsign that begins so. */
#define LAST_CODE_POINT "\xf4\x8f\xbf\xbf"

#define CONTACT_KIND_CONFIRMED (-1) /* the column's */

#define UNCONFIRMED_MAX 5000 /* QSOs that are looked at for near matches */
#define CONTACTS_MAX 20      /* QSOs of the other member that one of them is compared with */

/* Both lists have these parameters. */
static void bind_search(struct statement *list, int64_t member_id, const struct log_search *search,
                        int64_t limit)
{
    int64_t last_ms = search->before_ms < search->to_ms ? search->before_ms : search->to_ms;
    database_bind_integer(list, ":member_id", member_id);
    database_bind_integer(list, ":from", search->from_ms);
    database_bind_integer(list, ":to", search->to_ms);
    database_bind_integer(list, ":first_slot", match_slot(search->from_ms));
    database_bind_integer(list, ":last_slot", match_slot(last_ms));
    database_bind_integer(list, ":before", search->before_ms);
    database_bind_integer(list, ":before_id", search->before_id);
    database_bind_integer(list, ":limit", limit);
}

enum store_result store_search_log(struct store *store, int64_t member_id,
                                   const struct log_search *search, int64_t limit,
                                   qso_visitor *visit, void *context)
{
    struct match_callsign first, end;
    match_normalise_callsign(search->callsign, &first);
    bool by_callsign = first.length > 0;
    struct statement *list = database_statement(
        store->database, by_callsign ? STATEMENT_SEARCH_QSOS : STATEMENT_LIST_NEWEST_QSOS);
    bind_search(list, member_id, search, limit);
    char end_bytes[sizeof end.bytes + sizeof LAST_CODE_POINT];
    if (by_callsign) {
        memcpy(end_bytes, first.bytes, first.length);
        memcpy(end_bytes + first.length, LAST_CODE_POINT, sizeof LAST_CODE_POINT - 1);
        database_bind_text(list, ":first", (struct text){first.bytes, first.length});
        database_bind_text(list, ":end",
                           (struct text){end_bytes, first.length + sizeof LAST_CODE_POINT - 1});
    }
    return columns_visit_qsos(&store->columns, list, visit, context);
}

/* -- Map ----------------------------------------------------------------------------------------
 */

enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_NEWEST_MAP_POINTS);
    database_bind_integer(list, ":member_id", member_id);
    database_bind_integer(list, ":limit", limit);
    return columns_visit_qsos(&store->columns, list, visit, context);
}

/* -- Times ------------------------------------------------------------------------------------- */

/* An aggregate function of SQL, whose value is nothing: to be called for each of very many rows
 * costs a third less than to step to each and to read its columns. */
static void visit_qso_time(sqlite3_context *call, int count, sqlite3_value **values)
{
    struct times_visitor *visitor = sqlite3_user_data(call);
    int64_t slot = sqlite3_value_int64(values[0]);
    (void)count;
    if (!visitor->visit || slot < visitor->last_slot) {
        sqlite3_result_error(call, "a QSO does not come in its order", -1);
        return;
    }
    visitor->last_slot = slot;
    struct qso_time time = {
        .slot_ms = match_slot_start(slot),
        .confirmed = sqlite3_value_int64(values[1]) == CONTACT_KIND_CONFIRMED,
        .worked = database_text_of(values[2]),
    };
    visitor->visit(visitor->context, &time);
}

static void finish_qso_times(sqlite3_context *call)
{
    sqlite3_result_null(call);
}

enum store_result log_add_function(struct store *store)
{
    int code = sqlite3_create_function_v2(store->database->handle, "visit_qso_time", 3,
                                          SQLITE_UTF8 | SQLITE_DIRECTONLY, &store->times_visitor,
                                          NULL, visit_qso_time, finish_qso_times, NULL);
    return code == SQLITE_OK ? STORE_DONE
                             : database_failure(store->database, code, "add a function");
}

enum store_result store_list_times(struct store *store, int64_t member_id, qso_time_visitor *visit,
                                   void *context)
{
    struct statement *times = database_statement(store->database, STATEMENT_VISIT_QSO_TIMES);
    database_bind_integer(times, ":member_id", member_id);
    store->times_visitor = (struct times_visitor){visit, context, INT64_MIN};
    enum store_result result = database_run(store->database, times);
    store->times_visitor = (struct times_visitor){0};
    return result;
}

/* -- Near matches ------------------------------------------------------------------------------ */

/* The active member with this callsign, other than this one; STORE_NONE: nobody. */
static enum store_result find_other(struct store *store, int64_t member_id,
                                    const struct match_callsign *callsign, int64_t *other)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_CALLSIGN_OWNERS);
    enum store_result result = STORE_DONE;
    *other = 0;
    database_bind_text(list, ":callsign", (struct text){callsign->bytes, callsign->length});
    while (database_next(store->database, list, &result))
        if (database_read_integer(list, "active") && database_read_integer(list, "id") != member_id)
            *other = database_read_integer(list, "id");
    return result == STORE_DONE && *other == 0 ? STORE_NONE : result;
}

/* Whom the QSO could be confirmed by, but for a rule that a near match may fail: who may not
 * confirm is not shown either. STORE_NONE: nobody. */
static enum store_result find_confirmer(struct store *store, int64_t member_id,
                                        const struct match_side *side, int64_t *other)
{
    bool allowed = false;
    enum store_result result = partners_may_use(store, member_id, &side->station, &allowed);
    if (result != STORE_DONE)
        return result;
    return allowed ? find_other(store, member_id, &side->worked, other) : STORE_NONE;
}

/* Does one of the other member's QSOs fail by one rule only to confirm this side? */
static enum store_result hold_against(struct store *store, int64_t other,
                                      const struct match_side *side, enum match_rule *rule,
                                      bool *near)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_QSOS_OF_CONTACT);
    const int64_t from_ms = side->qso_at_ms - DATETIME_DAY_MS,
                  to_ms = side->qso_at_ms + DATETIME_DAY_MS;
    struct match_side other_side;
    struct qso qso;
    enum store_result result = STORE_DONE;
    *near = false;
    database_bind_integer(list, ":member_id", other);
    database_bind_text(list, ":worked", (struct text){side->station.bytes, side->station.length});
    database_bind_integer(list, ":from", from_ms);
    database_bind_integer(list, ":to", to_ms);
    database_bind_integer(list, ":first_slot", match_slot(from_ms));
    database_bind_integer(list, ":last_slot", match_slot(to_ms));
    database_bind_integer(list, ":limit", CONTACTS_MAX);
    while (database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, (struct text){side->worked.bytes, side->worked.length}, &other_side);
        if (!*near && database_is_null(list, "confirmed_by"))
            *near = match_fails_by_one(side, &other_side, rule);
    }
    return result;
}

enum store_result store_list_near_matches(struct store *store, const struct member *member,
                                          int64_t limit, near_match_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_UNCONFIRMED_QSOS);
    enum store_result result = STORE_DONE;
    struct match_side side;
    struct qso qso;
    database_bind_integer(list, ":member_id", member->id);
    database_bind_integer(list, ":limit", UNCONFIRMED_MAX);
    while (database_next(store->database, list, &result)) {
        enum match_rule rule;
        int64_t other;
        bool near = false;
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, member->callsign, &side);
        if (limit == 0 || !side.confirmable)
            continue;
        result = find_confirmer(store, member->id, &side, &other);
        if (result == STORE_DONE)
            result = hold_against(store, other, &side, &rule, &near);
        else if (result == STORE_NONE)
            result = STORE_DONE;
        if (near) {
            visit(context, &qso, match_rule_name(rule));
            limit--;
        }
    }
    return result;
}
