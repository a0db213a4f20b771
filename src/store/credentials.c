/* Finds the identity behind a credential: an API key, an upload token or a session. An invalid
 * credential is treated as if it had never existed; only the doctor command reports why a key does
 * not work. people/keys.c and people/sessions.c create and revoke credentials. */
#include "store/credentials.h"

#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/uuid.h"
#include "qso/match_callsign.h"
#include "store/store.h"

enum scope credentials_read_scope(struct text name)
{
    return text_equals(name, text_of("WRITE")) ? SCOPE_WRITE : SCOPE_READ;
}

const char *store_scope_name(enum scope scope)
{
    return scope == SCOPE_WRITE ? "WRITE" : "READ";
}

/* The columns of an identity. For a station's key or token, "made_by" and "operator" identify the
 * operator who created the key or token. */
static const struct read_column identity_columns[] = COLUMNS(
    COLUMN(identity, key_number, "id"), COLUMN(identity, member_id, "member_id"),
    COLUMN(identity, callsign, "callsign"), COLUMN(identity, locator, "locator"),
    COLUMN(identity, log_revision, "log_revision"), COLUMN(identity, log_epoch, "log_epoch"),
    COLUMN(identity, last_stamp_ms, "last_stamp"),
    COLUMN_OR(identity, last_used_day, "last_used_day", -1),
    COLUMN_IF(identity, last_program, "last_program"),
    COLUMN_IF(identity, channel_plan, "channel_plan"),
    COLUMN_IF(identity, is_station, "is_station"), COLUMN_IF(identity, operator_id, "made_by"),
    COLUMN_IF(identity, operator_callsign, "operator"), COLUMN_IF(identity, may_read, "may_read"),
    COLUMN_IF(identity, is_operator, "is_operator"),
    COLUMN_IF(identity, may_set_password, "may_set_password"),
    COLUMN_IF(identity, proved_at_ms, "proved_at"));

ROW_READER(identity_columns, STATEMENT_FIND_IDENTITY);
ROW_READER(identity_columns, STATEMENT_FIND_TOKEN);
ROW_READER(identity_columns, STATEMENT_FIND_SESSION);

enum store_result store_find_credential(struct store *store, enum credential credential,
                                        struct arena *arena,
                                        const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                        int64_t now_ms, struct identity *out)
{
    static const enum statement_name finds[] = {[CREDENTIAL_KEY] = STATEMENT_FIND_IDENTITY,
                                                [CREDENTIAL_TOKEN] = STATEMENT_FIND_TOKEN,
                                                [CREDENTIAL_SESSION] = STATEMENT_FIND_SESSION};
    const bool is_session = credential == CREDENTIAL_SESSION;
    struct statement *row = store_with(
        store, finds[credential], BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES),
        is_session ? BIND("first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS)
                   : BIND("now", now_ms));
    enum store_result result = database_step(store->database, row);
    if (result != STORE_DONE)
        return result;
    *out = (struct identity){.credential = credential,
                             .scope = credentials_read_scope(database_read_text(row, "scope"))};
    memcpy(out->fingerprint, fingerprint, API_KEY_FINGERPRINT_BYTES);
    database_read(row, identity_columns, arena, out);
    sqlite3_reset(row->handle);
    return STORE_DONE;
}

enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(key_state, callsign, "callsign"), COLUMN(key_state, revoked_at_ms, "revoked_at"),
        COLUMN(key_state, member_is_active, "active"));
    return store_find(store, columns, arena, out, STATEMENT_FIND_KEY_STATE,
                      BIND("now", clock_wall_ms()),
                      BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES));
}

enum store_result store_enter_log(struct store *store, struct arena *arena, struct text callsign,
                                  int64_t now_ms, struct identity *identity)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(identity, member_id, "id"), COLUMN(identity, callsign, "callsign"),
        COLUMN(identity, locator, "locator"), COLUMN(identity, log_revision, "log_revision"));
    const struct identity member = *identity;
    struct match_callsign wanted;
    if (match_same_callsign(callsign, identity->callsign))
        return STORE_DONE;
    match_normalise_callsign(callsign, &wanted);
    enum store_result result =
        store_find(store, columns, arena, identity, STATEMENT_FIND_GRANTED_LOG,
                   BIND("member_id", member.member_id), BIND("callsign", match_text(&wanted)),
                   BIND("now", now_ms));
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_NO_GRANT : result;
    identity->log = callsign;
    identity->operator_id = member.member_id;
    identity->operator_callsign = member.callsign;
    identity->is_station = true;
    return STORE_DONE;
}

enum store_result credentials_renew(struct store *store, struct arena *arena, int64_t now_ms,
                                    struct identity *identity)
{
    struct identity renewed;
    if (identity->credential == CREDENTIAL_NONE)
        return STORE_DONE;
    enum store_result result = store_find_credential(store, identity->credential, arena,
                                                     identity->fingerprint, now_ms, &renewed);
    if (identity->log.length > 0)
        THEN(result, store_enter_log(store, arena, identity->log, now_ms, &renewed));
    if (result == STORE_DONE)
        *identity = renewed;
    return result;
}
