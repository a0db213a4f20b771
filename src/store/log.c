/* A member's own log for display: newest first, its map, near matches, and the cards that came with
 * confirmations. The pages' routes filter and format the QSOs. qsos.c reads the log for clients
 * that synchronise, in the order of changes. */
#include "store/log.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/history.h"
#include "store/partners.h"
#include "store/storage.h"
#include "store/store.h"
#include "store/transaction.h"

#define UNCONFIRMED_MAX 5000 /* QSOs examined for near matches */
#define CONTACTS_MAX 20      /* QSOs of the other member that one of them is compared with */
#define AROUND_MAX 1500      /* maximum of these QSOs if the callsigns differ */

static enum statement_name statement_of(const struct log_walk *walk)
{
    const bool wants_all = walk->from_ms <= DATETIME_MINIMUM_MS &&
                           walk->to_ms >= DATETIME_MAXIMUM_MS && !walk->asks_confirmed &&
                           !walk->division && walk->callsign.length == 0;
    if (walk->with_texts)
        return STATEMENT_WALK_LOG_TEXTS;
    if (walk->in_any_order && wants_all)
        return STATEMENT_WALK_WHOLE_LOG;
    return walk->in_any_order ? STATEMENT_WALK_LOG_IN_ANY_ORDER : STATEMENT_WALK_LOG;
}

enum store_result store_walk_log(struct store *store, int64_t member_id,
                                 const struct log_walk *walk, log_visitor *visit, void *context)
{
    const enum statement_name name = statement_of(walk);
    struct statement *list = store_with(store, name, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    bool goes_on = true;
    struct qso qso;
    if (name != STATEMENT_WALK_WHOLE_LOG)
        database_bind(list,
                      BOUND(BIND("first_slot", match_slot(walk->from_ms)),
                            BIND("last_slot", match_slot(walk->to_ms)),
                            BIND_IF(walk->asks_confirmed, "confirmed", walk->confirmed),
                            BIND_OR_NULL("division", walk->division),
                            BIND("callsign", walk->callsign.length > 0 ? match_text(&walk->callsign)
                                                                       : (struct text){0})));
    while (goes_on && database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        goes_on = visit(context, &qso);
    }
    sqlite3_reset(list->handle);
    return result;
}

/* -- Map --------------------------------------------------------------------------------------- */

enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_NEWEST_MAP_POINTS,
                                        BIND("member_id", member_id), BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

/* -- Near matches ------------------------------------------------------------------------------ */

/* Does one of the other member's QSOs fail by one rule only to confirm this side? */
static enum store_result hold_against(struct store *store, int64_t other,
                                      const struct match_side *side, enum match_rule *rule,
                                      bool *near)
{
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
        if (!*near && database_is_null(list, "confirmed_by"))
            *near = match_fails_by_one(side, &other_side, rule);
    }
    return result;
}

/* STORE_NONE: no other active member has the callsign. */
static enum store_result find_other(struct store *store, int64_t member_id,
                                    const struct match_callsign *callsign, int64_t *other)
{
    return store_find_integer(store, "id", other, STATEMENT_FIND_OTHER_OWNER_OF_CALLSIGN,
                              BIND("callsign", match_text(callsign)), BIND("member_id", member_id));
}

/* Whether one of the other member's QSOs would confirm this side if both had written the callsigns
 * alike. Reveals only what the member would learn by adopting the other member's spelling: the
 * callsign that the other member logged must be one that this member may use, with its prefix and
 * without. */
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

/* A member who may not confirm is not shown either. */
static enum store_result find_near_match(struct store *store, int64_t member_id,
                                         const struct match_side *side, enum match_rule *rule,
                                         bool *near)
{
    bool allowed = false;
    int64_t other;
    *near = false;
    enum store_result result = partners_may_use(store, member_id, &side->station, &allowed);
    if (result != STORE_DONE || !allowed)
        return result;
    result = find_other(store, member_id, &side->worked, &other);
    THEN(result, hold_against(store, other, side, rule, near));
    if (!*near && (result == STORE_DONE || result == STORE_NONE)) {
        *rule = MATCH_RULE_CALLSIGN;
        result = find_by_callsign(store, member_id, side, near);
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_near_matches(struct store *store, const struct member *member,
                                          int64_t limit, near_match_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    enum match_rule rule;
    struct match_side side;
    struct qso qso;
    struct statement *list =
        store_with(store, STATEMENT_LIST_UNCONFIRMED_QSOS, BIND("member_id", member->id),
                   BIND("limit", UNCONFIRMED_MAX));
    while (limit > 0 && database_next(store->database, list, &result)) {
        bool near = false;
        columns_read_qso(&store->columns, list, &qso);
        match_read_side(&qso, member->callsign, &side);
        if (side.confirmable)
            result = find_near_match(store, member->id, &side, &rule, &near);
        if (near) {
            visit(context, &qso, match_rule_name(rule));
            limit--;
        }
    }
    sqlite3_reset(list->handle);
    return result;
}

/* -- Counts ------------------------------------------------------------------------------------ */

enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(log_counts, qsos, "qsos"), COLUMN(log_counts, of_day, "of_day"),
                COLUMN(log_counts, of_month, "of_month"), COLUMN(log_counts, of_year, "of_year"));
    return store_find(store, columns, NULL, out, STATEMENT_COUNT_LOG, BIND("member_id", member_id),
                      BIND("now", now_ms));
}

/* -- Cards ------------------------------------------------------------------------------------- */

/* Members' QSL cards. A confirmed QSO's card is found through the QSO that confirms it, in the same
 * snapshot, so the card disappears with the confirmation. The pages interpret designs; the site
 * checks pictures. */

enum store_result store_read_card(struct store *store, int64_t member_id, int64_t confirmed_qso,
                                  enum card_part part, struct arena *arena, struct text *content,
                                  int64_t *set_at_ms)
{
    struct statement *read = store_with(store, STATEMENT_READ_CARD, BIND("member_id", member_id),
                                        BIND_OR_NULL("qso_id", confirmed_qso), BIND("part", part));
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        *content = database_keep_text(read, "content", arena);
        *set_at_ms = database_read_integer(read, "set_at");
    }
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content)
{
    struct transaction transaction;
    int64_t replaced = 0;
    bool fits = true;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_find_integer(store, "bytes", &replaced, STATEMENT_MEASURE_CARD,
                                    BIND("member_id", member_id), BIND("part", part)));
    THEN(result, store_make_room(&transaction, member_id,
                                 STORAGE_OF_CARD + (int64_t)content.length - replaced, &fits));
    if (result == STORE_DONE && !fits)
        result = STORE_FULL;
    THEN(result, store_run(store, STATEMENT_SET_CARD, BIND("member_id", member_id),
                           BIND("part", part), BIND_BLOB("content", content.bytes, content.length),
                           BIND("set_at", transaction.stamp_ms)));
    return store_finish(&transaction, result);
}

enum store_result store_remove_card(struct store *store, int64_t member_id, bool design_too)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_REMOVE_CARD, BIND("member_id", member_id),
                              BIND_IF(!design_too, "part", CARD_PICTURE),
                              BIND("set_at", transaction.stamp_ms)));
    THEN(result, operator_log_note_member(&transaction, "card remove", member_id, NULL));
    return store_finish(&transaction, result);
}

static const struct read_column card_columns[] =
    COLUMNS(COLUMN(card, id, "id"), COLUMN(card, confirmed_at_ms, "cross_confirmed_at"),
            COLUMN(card, paired_at_ms, "paired_at"), COLUMN(card, design, "design"),
            COLUMN(card, picture_set_at_ms, "picture_set_at"));

ROW_READER(card_columns, STATEMENT_LIST_CARDS);

enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(store, STATEMENT_LIST_CARDS, BIND("member_id", member_id),
                                        BIND("before", before.synced_at_ms),
                                        BIND("before_id", before.id), BIND("limit", limit));
    struct card card;
    while (database_next_row(store->database, list, card_columns, &card, &result))
        visit(context, &card);
    return result;
}

enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out)
{
    return store_find(store, card_columns, arena, out, STATEMENT_FIND_CARD,
                      BIND("member_id", member_id), BIND("id", id));
}

enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count)
{
    return store_find_integer(store, "new_cards", count, STATEMENT_COUNT_NEW_CARDS,
                              BIND("member_id", member_id), BIND("since", since_ms));
}
