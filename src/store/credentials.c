/* Looks up whom a credential speaks for: an API key, an upload token, a session. One that
 * does not work any more is the same as one that never was; why a key does not work is told to the
 * doctor alone. Making and revoking them is left to keys.c and sessions.c. */
#include "store/credentials.h"

#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/keyed_hash.h"
#include "base/log.h"
#include "base/uuid.h"
#include "qso/match.h"
#include "store/store.h"

enum scope credentials_read_scope(struct text name)
{
    return text_equals(name, text_of("WRITE")) ? SCOPE_WRITE : SCOPE_READ;
}

const char *store_scope_name(enum scope scope)
{
    return scope == SCOPE_WRITE ? "WRITE" : "READ";
}

static void read_session(const struct statement *row, struct identity *identity)
{
    identity->is_operator = database_read_integer(row, "is_operator") != 0;
    identity->may_set_password = database_read_integer(row, "may_set_password") != 0;
    identity->proved_at_ms = database_read_integer(row, "proved_at");
}

/* Keys and tokens of a station say who made them. */
static void read_maker(const struct statement *row, struct arena *arena, struct identity *identity)
{
    identity->is_station = database_read_integer(row, "is_station") != 0;
    identity->operator_id = database_read_integer(row, "made_by");
    if (identity->operator_id)
        identity->operator_callsign = database_keep_text(row, "operator", arena);
}

static enum store_result find(struct store *store, enum credential credential, struct arena *arena,
                              const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                              int64_t now_ms, struct identity *out)
{
    static const enum statement_name finds[] = {[CREDENTIAL_KEY] = STATEMENT_FIND_IDENTITY,
                                                [CREDENTIAL_TOKEN] = STATEMENT_FIND_TOKEN,
                                                [CREDENTIAL_SESSION] = STATEMENT_FIND_SESSION};
    struct statement *row = database_statement(store->database, finds[credential]);
    database_bind_blob(row, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    if (credential == CREDENTIAL_SESSION)
        database_bind_integer(row, ":first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS);
    else
        database_bind_integer(row, ":now", now_ms);
    enum store_result result = database_step(store->database, row);
    if (result != STORE_DONE)
        return result;
    *out = (struct identity){
        .credential = credential,
        .key_number = database_read_integer(row, "id"),
        .scope = credentials_read_scope(database_read_text(row, "scope")),
        .member_id = database_read_integer(row, "member_id"),
        .callsign = database_keep_text(row, "callsign", arena),
        .locator = database_keep_text(row, "locator", arena),
        .log_revision = database_read_integer(row, "log_revision"),
        .log_epoch = database_read_integer(row, "log_epoch"),
        .last_stamp_ms = database_read_integer(row, "last_stamp"),
        .restored_ms = database_read_integer(row, "restored_at"),
        .last_used_day = database_read_integer_or(row, "last_used_day", -1),
    };
    memcpy(out->fingerprint, database_read_blob(row, "fingerprint"), API_KEY_FINGERPRINT_BYTES);
    if (credential == CREDENTIAL_SESSION)
        read_session(row, out);
    else
        read_maker(row, arena, out);
    if (credential == CREDENTIAL_TOKEN)
        out->may_read = database_read_integer(row, "may_read") != 0;
    sqlite3_reset(row->handle);
    return STORE_DONE;
}

enum store_result store_find_identity(struct store *store, struct arena *arena,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out)
{
    return find(store, CREDENTIAL_KEY, arena, fingerprint, clock_wall_ms(), out);
}

enum store_result store_find_token(struct store *store, struct arena *arena,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   struct identity *out)
{
    return find(store, CREDENTIAL_TOKEN, arena, fingerprint, clock_wall_ms(), out);
}

enum store_result store_find_session(struct store *store, struct arena *arena,
                                     const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                     int64_t now_ms, struct identity *out)
{
    return find(store, CREDENTIAL_SESSION, arena, fingerprint, now_ms, out);
}

enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_KEY_STATE);
    database_bind_integer(find, ":now", clock_wall_ms());
    database_bind_blob(find, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        *out = (struct key_state){
            .callsign = database_keep_text(find, "callsign", arena),
            .revoked_at_ms = database_read_integer(find, "revoked_at"),
            .member_is_active = database_read_integer(find, "active") != 0,
        };
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_enter_log(struct store *store, struct arena *arena, struct text callsign,
                                  int64_t now_ms, struct identity *identity)
{
    struct match_callsign wanted;
    if (match_same_callsign(callsign, identity->callsign))
        return STORE_DONE;
    match_normalise_callsign(callsign, &wanted);
    struct statement *find =
        store_member_statement(store, STATEMENT_FIND_GRANTED_LOG, identity->member_id);
    database_bind_text(find, ":callsign", match_text(&wanted));
    database_bind_integer(find, ":now", now_ms);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_NO_GRANT : result;
    identity->log = callsign;
    identity->operator_id = identity->member_id;
    identity->operator_callsign = identity->callsign;
    identity->is_station = true;
    identity->member_id = database_read_integer(find, "id");
    identity->callsign = database_keep_text(find, "callsign", arena);
    identity->locator = database_keep_text(find, "locator", arena);
    identity->log_revision = database_read_integer(find, "log_revision");
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result credentials_renew(struct store *store, struct arena *arena, int64_t now_ms,
                                    struct identity *identity)
{
    struct identity renewed;
    if (identity->credential == CREDENTIAL_NONE)
        return STORE_DONE;
    enum store_result result =
        find(store, identity->credential, arena, identity->fingerprint, now_ms, &renewed);
    if (result == STORE_DONE && identity->log.length > 0)
        result = store_enter_log(store, arena, identity->log, now_ms, &renewed);
    if (result == STORE_DONE)
        *identity = renewed;
    return result;
}

/* -- The secret of a member -------------------------------------------------------------------- */

/* It is made when it is first needed, and is kept in backups. */

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
