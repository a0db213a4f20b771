/* Grants are looked at in the statements that find a key, a token or a log (keys.sql, uploads.sql,
 * stations.sql), by the time of the transaction; here they are given and ended. A grant that ends
 * by its date leaves its keys as they are: they do not work, and are revoked when it is given
 * again. */
#include "store/members.h"

#include "qso/match.h"
#include "store/store.h"
#include "store/transaction.h"

/* -- Grants ------------------------------------------------------------------------------------ */

static void bind_pair(struct transaction *transaction, struct statement *statement,
                      int64_t station_id, int64_t member_id)
{
    database_bind_integer(statement, ":station_id", station_id);
    database_bind_integer(statement, ":member_id", member_id);
    database_bind_integer(statement, ":now", transaction->written_at_ms);
}

/* Keys and tokens of this pair, if its grant does not hold. */
static enum store_result end_keys(struct transaction *transaction, int64_t station_id,
                                  int64_t member_id)
{
    static const enum statement_name ends[] = {STATEMENT_END_KEYS_OF_GRANT,
                                               STATEMENT_END_TOKENS_OF_GRANT};
    struct database *database = transaction->store->database;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && result == STORE_DONE; i++) {
        struct statement *end = database_statement(database, ends[i]);
        bind_pair(transaction, end, station_id, member_id);
        result = database_run(database, end);
    }
    return result;
}

/* The log of operators names the member by the callsign. */
static enum store_result note(struct transaction *transaction, const char *act, int64_t station_id,
                              int64_t member_id)
{
    struct statement *find =
        database_statement(transaction->store->database, STATEMENT_FIND_MEMBER_BY_NUMBER);
    database_bind_integer(find, ":id", member_id);
    enum store_result result = database_step(transaction->store->database, find);
    struct text member = {0};
    if (result == STORE_DONE)
        member = database_read_text(find, "callsign");
    if (result == STORE_DONE)
        result = operator_log_note_member(transaction, act, station_id, "%.*s", (int)member.length,
                                          member.bytes);
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result write_grant(struct transaction *transaction, int64_t station_id,
                                     int64_t member_id, int64_t until_ms)
{
    struct database *database = transaction->store->database;
    enum store_result result = end_keys(transaction, station_id, member_id);
    if (result != STORE_DONE)
        return result;
    struct statement *write = database_statement(database, STATEMENT_WRITE_GRANT);
    bind_pair(transaction, write, station_id, member_id);
    database_bind_integer_or_null(write, ":until", until_ms);
    database_bind_integer(write, ":set_at", transaction->stamp_ms);
    result = database_change(database, write);
    if (result == STORE_DONE)
        result = note(transaction, "station grant", station_id, member_id);
    return result == STORE_NONE ? STORE_REFUSED : result;
}

enum store_result store_grant(struct store *store, int64_t station_id, int64_t member_id,
                              int64_t until_ms)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    return result == STORE_DONE ? store_finish(&transaction, write_grant(&transaction, station_id,
                                                                         member_id, until_ms))
                                : result;
}

enum store_result store_end_grant(struct store *store, int64_t station_id, int64_t member_id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *revoke = database_statement(store->database, STATEMENT_REVOKE_GRANT);
    bind_pair(&transaction, revoke, station_id, member_id);
    database_bind_integer(revoke, ":set_at", transaction.stamp_ms);
    result = database_change(store->database, revoke);
    if (result == STORE_DONE)
        result = end_keys(&transaction, station_id, member_id);
    if (result == STORE_DONE)
        result = note(&transaction, "station revoke", station_id, member_id);
    return store_finish(&transaction, result);
}

static enum store_result list_grants(struct store *store, enum statement_name name, int64_t id,
                                     int64_t now_ms, grant_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, name);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":id", id);
    while (database_next(store->database, list, &result)) {
        struct grant grant = {
            .station_id = database_read_integer(list, "station_id"),
            .member_id = database_read_integer(list, "member_id"),
            .station = database_read_text(list, "station"),
            .member = database_read_text(list, "member"),
            .granted_at_ms = database_read_integer(list, "granted_at"),
            .until_ms = database_read_integer(list, "until"),
            .ended_ms = database_read_integer(list, "revoked_at"),
        };
        if (!grant.ended_ms && grant.until_ms && grant.until_ms <= now_ms)
            grant.ended_ms = grant.until_ms;
        visit(context, &grant);
    }
    return result;
}

enum store_result store_list_grants_of_station(struct store *store, int64_t station_id,
                                               int64_t now_ms, grant_visitor *visit, void *context)
{
    return list_grants(store, STATEMENT_LIST_GRANTS_OF_STATION, station_id, now_ms, visit, context);
}

enum store_result store_list_grants_of_member(struct store *store, int64_t member_id,
                                              int64_t now_ms, grant_visitor *visit, void *context)
{
    return list_grants(store, STATEMENT_LIST_GRANTS_OF_MEMBER, member_id, now_ms, visit, context);
}

enum store_result stations_end_member(struct transaction *transaction, int64_t member_id)
{
    static const enum statement_name ends[] = {STATEMENT_END_KEYS_OF_MEMBER,
                                               STATEMENT_END_TOKENS_OF_MEMBER};
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && result == STORE_DONE; i++) {
        struct statement *end = store_member_statement(store, ends[i], member_id);
        database_bind_integer(end, ":now", transaction->written_at_ms);
        result = database_run(store->database, end);
    }
    return result;
}

/* -- Stations ---------------------------------------------------------------------------------- */

static struct station read_station(const struct statement *row)
{
    return (struct station){
        .id = database_read_integer(row, "id"),
        .callsign = database_read_text(row, "callsign"),
        .locator = database_read_text(row, "locator"),
        .active = database_read_integer(row, "active") != 0,
        .has_page = database_read_integer(row, "log_page") != 0,
        .qso_count = database_read_integer(row, "qso_count"),
    };
}

enum store_result store_list_stations(struct store *store, station_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_STATIONS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct station station = read_station(list);
        visit(context, &station);
    }
    return result;
}

enum store_result store_find_station(struct store *store, struct arena *arena, int64_t id,
                                     struct station *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_STATION);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = read_station(find);
    out->callsign = database_keep_text(find, "callsign", arena);
    out->locator = database_keep_text(find, "locator", arena);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_set_log_page(struct store *store, int64_t station_id, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_LOG_PAGE);
    database_bind_integer(update, ":id", station_id);
    database_bind_integer(update, ":log_page", on);
    database_bind_integer(update, ":set_at", transaction.stamp_ms);
    result = database_change(store->database, update);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, "station set", station_id, "page %s",
                                          on ? "on" : "off");
    return store_finish(&transaction, result);
}

enum store_result store_find_log_page(struct store *store, struct arena *arena,
                                      struct text callsign, struct identity *out)
{
    struct match_callsign wanted;
    match_normalise_callsign(callsign, &wanted);
    struct statement *find = database_statement(store->database, STATEMENT_FIND_LOG_PAGE);
    database_bind_text(find, ":callsign", match_text(&wanted));
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = (struct identity){
        .member_id = database_read_integer(find, "id"),
        .callsign = database_keep_text(find, "callsign", arena),
        .locator = database_keep_text(find, "locator", arena),
        .log_revision = database_read_integer(find, "log_revision"),
        .log_epoch = database_read_integer(find, "log_epoch"),
    };
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_list_worked(struct store *store, int64_t member_id, struct text callsign,
                                    worked_visitor *visit, void *context)
{
    struct match_callsign worked;
    match_normalise_callsign(callsign, &worked);
    struct statement *list = store_member_statement(store, STATEMENT_LIST_WORKED, member_id);
    database_bind_text(list, ":callsign", match_text(&worked));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_integer(list, "band"),
              database_read_integer_or(list, "mode", -1), database_read_integer(list, "day"));
    return result;
}
