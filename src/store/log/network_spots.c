/* Stores and lists spots from other clusters, and members' consent to having their spots announced
 * there. src/feed exchanges the spots with the clusters. */
#include "store/log/network_spots.h"

#include "base/datetime.h"
#include "store/ageing.h"
#include "store/alert_wake.h"
#include "store/store.h"
#include "store/transaction.h"

static const struct read_column network_columns[] =
    COLUMNS(COLUMN(spot, id, "id"), COLUMN(spot, spotted_at_ms, "spotted_at"),
            COLUMN(spot, spotter, "spotter"), COLUMN(spot, dx_callsign, "dx_callsign"),
            COLUMN(spot, frequency_hz, "frequency"), COLUMN(spot, source, "source"),
            COLUMN(spot, comment, "comment"));

ROW_READER(network_columns, STATEMENT_LIST_NETWORK_SPOTS);

#define SAME_SPOT_MS (10 * DATETIME_MINUTE_MS)

enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    for (const struct network_spot *spot = spots; spot < spots + count; spot++)
        THEN(result,
             store_run(
                 store, STATEMENT_INSERT_NETWORK_SPOT, BIND("source", text_of(spot->source)),
                 BIND("spotter", text_of(spot->spotter)), BIND("callsign", text_of(spot->callsign)),
                 BIND("comment", text_of(spot->comment)), BIND("frequency", spot->frequency_hz),
                 BIND("spotted_at", spot->spotted_at_ms),
                 BIND("from", spot->spotted_at_ms - SAME_SPOT_MS),
                 BIND("to", spot->spotted_at_ms + SAME_SPOT_MS)));
    THEN(result, store_run(store, STATEMENT_DELETE_OLD_NETWORK_SPOTS,
                           BIND("before", store_old_before(&transaction, DATETIME_DAY_MS)),
                           BIND("kept", NETWORK_SPOTS_KEPT)));
    THEN(result, alert_wake_for_spot(&transaction));
    return store_finish(&transaction, result);
}

enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context)
{
    return spots_visit(
        store,
        store_with(store, STATEMENT_LIST_NETWORK_SPOTS, BIND("from", now_ms - DATETIME_DAY_MS)),
        network_columns, visit, context);
}

enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (announces)
        THEN(result, store_run(store, STATEMENT_INSERT_ANNOUNCER, BIND("member_id", member_id),
                               BIND("since", transaction.written_at_ms)));
    else
        THEN(result, store_run(store, STATEMENT_DELETE_ANNOUNCER, BIND("member_id", member_id)));
    return store_finish(&transaction, result);
}
