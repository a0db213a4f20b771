/* The secret of a member of which clientIds are made, for QSOs that come without one, and finding
 * the QSO that such an id names. A secret is made when it is first needed, and is kept in backups.
 * The ids themselves are made in src/adif/naming.c. */
#include "store/names.h"

#include <string.h>

#include "base/log.h"
#include "base/keyed_hash.h"
#include "base/uuid.h"
#include "qso/match.h"
#include "store/store.h"

#define MINUTE_MS INT64_C(60000)

enum store_result store_find_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[UUID_BYTES])
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_CLIENT_ID_SECRET);
    database_bind_integer(find, ":id", member_id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    memcpy(out, database_read_blob(find, "client_id_secret"), UUID_BYTES);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_make_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[UUID_BYTES])
{
    if (!random_fill(out, UUID_BYTES)) {
        log_line("the system has no random numbers");
        return STORE_BROKEN;
    }
    struct statement *update =
        database_statement(store->database, STATEMENT_UPDATE_CLIENT_ID_SECRET);
    database_bind_integer(update, ":id", member_id);
    database_bind_blob(update, ":client_id_secret", out, UUID_BYTES);
    return database_run(store->database, update);
}

/* The first millisecond of the minute, also before 1970. */
static int64_t minute_of(int64_t ms)
{
    int64_t rest = ms % MINUTE_MS;
    return ms - rest - (rest < 0 ? MINUTE_MS : 0);
}

enum store_result
store_list_named_contacts(struct store *store, const struct identity *member, const struct qso *qso,
                          void (*visit)(void *context, const unsigned char *client_id),
                          void *context)
{
    struct statement *list =
        store_member_statement(store, STATEMENT_LIST_NAMED_CONTACTS, member->member_id);
    struct match_callsign own, station, worked;
    const int64_t from_ms = minute_of(qso->values[FIELD_QSO_AT].integer);
    enum store_result result = STORE_DONE;
    match_normalise_callsign(member->callsign, &own);
    match_normalise_callsign(match_station(qso, member->callsign), &station);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    database_bind_text(list, ":member_station", match_text(&own));
    database_bind_text(list, ":station", match_text(&station));
    database_bind_null(list, ":worked");
    if (qso->values[FIELD_CALLSIGN_WORKED].presence == VALUE_PRESENT)
        database_bind_text(list, ":worked", match_text(&worked));
    database_bind_integer(list, ":band", qso->values[FIELD_BAND].integer);
    database_bind_integer(list, ":slot", match_slot(from_ms));
    database_bind_integer(list, ":from", from_ms);
    database_bind_integer(list, ":to", from_ms + MINUTE_MS - 1);
    while (database_next(store->database, list, &result))
        visit(context, database_read_blob(list, "client_id"));
    return result;
}
