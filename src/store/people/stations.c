/* Lists the stations, and finds stations whose page is on. */
#include "store/people/stations.h"

#include "qso/match_callsign.h"
#include "store/log/page_counts.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_set_log_page(struct store *store, int64_t station_id, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_UPDATE_LOG_PAGE, BIND("id", station_id),
                              BIND("log_page", on), BIND("set_at", transaction.stamp_ms)));
    THEN(result, operator_log_note_member(&transaction, "station set", station_id, "page %s",
                                          on ? "on" : "off"));
    return store_finish(&transaction, result);
}

enum store_result store_find_log_page(struct store *store, struct arena *arena,
                                      struct text callsign, struct identity *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(identity, member_id, "id"), COLUMN(identity, callsign, "callsign"),
        COLUMN(identity, locator, "locator"), COLUMN(identity, log_revision, "log_revision"),
        COLUMN(identity, log_epoch, "log_epoch"));
    struct match_callsign wanted;
    match_normalise_callsign(callsign, &wanted);
    *out = (struct identity){0};
    return store_find(store, columns, arena, out, STATEMENT_FIND_LOG_PAGE,
                      BIND("callsign", match_text(&wanted)));
}

enum store_result store_list_log_pages(struct store *store, callsign_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_LOG_PAGES);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "callsign"));
    return result;
}

enum store_result store_list_worked(struct store *store, int64_t member_id, struct text callsign,
                                    worked_visitor *visit, void *context)
{
    struct match_callsign worked;
    bool is_counted = false;
    match_normalise_callsign(callsign, &worked);
    enum store_result result = store_has_page_counts(store, member_id, &is_counted);
    if (result != STORE_DONE)
        return result;
    struct statement *list =
        store_with(store, STATEMENT_LIST_WORKED, BIND("member_id", member_id),
                   BIND("callsign", match_text(&worked)), BIND("is_counted", is_counted));
    while (database_next(store->database, list, &result))
        visit(context, database_read_integer(list, "band"),
              database_read_integer_or(list, "mode", -1), database_read_integer(list, "day"));
    return result;
}
