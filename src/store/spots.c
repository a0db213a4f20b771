/* Spots as they were published: later writes to the QSO do not change them; its deletion deletes
 * them (by the schema's foreign key). */
#include "store/spots.h"

#include "qso/spot.h"

enum store_result spots_publish(struct store *store, const struct qso *qso,
                                struct text member_callsign)
{
    struct spot spot;
    spot_of_qso(qso, member_callsign, store->written_at_ms, &spot);
    struct statement *insert = database_statement(store, STATEMENT_INSERT_SPOT);
    sqlite3_clear_bindings(insert->handle);
    database_bind_integer(insert, ":qso_id", spot.qso_id);
    database_bind_integer(insert, ":spotted_at", spot.spotted_at_ms);
    database_bind_text(insert, ":spotter", spot.spotter);
    database_bind_text(insert, ":dx_callsign", spot.dx_callsign);
    database_bind_integer(insert, ":band", spot.band);
    if (spot.frequency_hz)
        database_bind_integer(insert, ":frequency", spot.frequency_hz);
    if (spot.channel)
        database_bind_integer(insert, ":channel", spot.channel);
    database_bind_text(insert, ":ctcss_tone", spot.ctcss_tone);
    database_bind_text(insert, ":dcs_code", spot.dcs_code);
    if (spot.mode >= 0)
        database_bind_integer(insert, ":mode", spot.mode);
    database_bind_text(insert, ":my_locator", spot.my_locator);
    database_bind_text(insert, ":dx_locator", spot.dx_locator);
    return database_run(store, insert);
}

static enum store_result visit_spots(struct store *store, struct statement *list,
                                     spot_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    while (database_next(store, list, &result)) {
        struct spot spot = {
            .id = database_read_integer(list, "id"),
            .qso_id = database_read_integer(list, "qso_id"),
            .spotted_at_ms = database_read_integer(list, "spotted_at"),
            .spotter = database_read_text(list, "spotter"),
            .dx_callsign = database_read_text(list, "dx_callsign"),
            .band = (enum band)database_read_integer(list, "band"),
            .frequency_hz = database_read_integer(list, "frequency"),
            .channel = database_read_integer(list, "channel"),
            .ctcss_tone = database_read_text(list, "ctcss_tone"),
            .dcs_code = database_read_text(list, "dcs_code"),
            .mode = (int)database_read_integer_or(list, "mode", -1),
            .my_locator = database_read_text(list, "my_locator"),
            .dx_locator = database_read_text(list, "dx_locator"),
        };
        if (!visit(context, &spot))
            result = STORE_NONE;
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_spots(struct store *store, spot_visitor *visit, void *context)
{
    return visit_spots(store, database_statement(store, STATEMENT_LIST_SPOTS), visit, context);
}

enum store_result store_list_spots_after(struct store *store, int64_t id, spot_visitor *visit,
                                         void *context)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_SPOTS_AFTER);
    database_bind_integer(list, ":id", id);
    return visit_spots(store, list, visit, context);
}

enum store_result store_list_member_spots(struct store *store, int64_t member_id,
                                          spot_visitor *visit, void *context)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_MEMBER_SPOTS);
    database_bind_integer(list, ":member_id", member_id);
    return visit_spots(store, list, visit, context);
}
