/* Reads a member's own log for display: newest first, for the map, and as counts. The pages' routes
 * filter and format the QSOs. qsos.c lists QSOs in the order of their changes, for clients that
 * synchronise. */
#include "store/log/log.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/store.h"

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
    bool continues = true;
    struct qso qso;
    if (name != STATEMENT_WALK_WHOLE_LOG)
        database_bind(list,
                      BOUND(BIND("first_slot", match_slot(walk->from_ms)),
                            BIND("last_slot", match_slot(walk->to_ms)),
                            BIND_IF(walk->asks_confirmed, "confirmed", walk->confirmed),
                            BIND_OR_NULL("division", walk->division),
                            BIND("callsign", walk->callsign.length > 0 ? match_text(&walk->callsign)
                                                                       : (struct text){0})));
    columns_clear_qso(&qso);
    while (continues && database_next(store->database, list, &result)) {
        columns_read_next_qso(&store->columns, list, &qso);
        continues = visit(context, &qso);
    }
    sqlite3_reset(list->handle);
    return result;
}

enum store_result store_count_whole_log(struct store *store, int64_t member_id, qso_visitor *visit,
                                        void *context)
{
    return columns_count_qsos(
        &store->columns, store_with(store, STATEMENT_COUNT_WHOLE_LOG, BIND("member_id", member_id)),
        visit, context);
}

enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_NEWEST_MAP_POINTS,
                                        BIND("member_id", member_id), BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(log_counts, qsos, "qsos"), COLUMN(log_counts, of_day, "of_day"),
                COLUMN(log_counts, of_month, "of_month"), COLUMN(log_counts, of_year, "of_year"));
    return store_find(store, columns, NULL, out, STATEMENT_COUNT_LOG, BIND("member_id", member_id),
                      BIND("now", now_ms));
}
