/* Spots as they were published: later writes to the QSO leave them alone, its deletion takes them
 * along (the schema's foreign key does that). */
#include "store/spots.h"

#include "qso/spot.h"

enum store_result spots_publish(struct store *store, const struct qso *qso,
                                struct text member_callsign, int64_t stamp_ms)
{
    struct spot spot;
    spot_of_qso(qso, member_callsign, stamp_ms, &spot);
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

enum store_result store_list_spots(struct store *store, int64_t limit,
                                   void (*visit)(void *context, const struct spot *spot),
                                   void *context)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_SPOTS);
    enum store_result result;
    database_bind_integer(list, ":limit", limit);
    while ((result = database_step(store, list)) == STORE_DONE) {
        sqlite3_stmt *row = list->handle;
        bool has_mode = sqlite3_column_type(row, 9) != SQLITE_NULL;
        struct spot spot = {
            .qso_id = sqlite3_column_int64(row, 0),
            .spotted_at_ms = sqlite3_column_int64(row, 1),
            .spotter = database_column_text(list, 2),
            .dx_callsign = database_column_text(list, 3),
            .band = (enum band)sqlite3_column_int64(row, 4),
            .frequency_hz = sqlite3_column_int64(row, 5),
            .channel = sqlite3_column_int64(row, 6),
            .ctcss_tone = database_column_text(list, 7),
            .dcs_code = database_column_text(list, 8),
            .mode = has_mode ? sqlite3_column_int(row, 9) : -1,
            .my_locator = database_column_text(list, 10),
            .dx_locator = database_column_text(list, 11),
        };
        visit(context, &spot);
    }
    sqlite3_reset(list->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}
