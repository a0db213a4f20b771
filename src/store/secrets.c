/* The secret of a member. The clientIds are made of it of QSOs that come without one (in
 * src/adif/naming.c), and, with the time at which the password was set, the code by which the
 * cluster feed knows the member, which is kept nowhere. The secret is made when it is first needed,
 * and is kept in backups. */
#include "store/secrets.h"

#include <stdio.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/log.h"
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

/* -- Members at the cluster feed --------------------------------------------------------------- */

/* SipHash is made for this: who sees codes learns nothing of the key. */
static void format_code(const unsigned char secret[UUID_BYTES], int64_t password_set_at_ms,
                        char out[FEED_CODE_LENGTH + 1])
{
    char subject[64];
    struct keyed_hash hash;
    _Static_assert(sizeof hash.key == UUID_BYTES, "the secret is a key");
    memcpy(hash.key, secret, sizeof hash.key);
    int length =
        snprintf(subject, sizeof subject, "DX cluster feed %lld", (long long)password_set_at_ms);
    snprintf(out, FEED_CODE_LENGTH + 1, "%016llX",
             (unsigned long long)keyed_hash_of(&hash, subject, (size_t)length));
}

static enum store_result find_or_make_secret(struct store *store, int64_t member_id,
                                             unsigned char secret[UUID_BYTES])
{
    enum store_result result = store_find_client_id_secret(store, member_id, secret);
    return result == STORE_NONE ? store_make_client_id_secret(store, member_id, secret) : result;
}

static enum store_result find_password_time(struct store *store, int64_t member_id, int64_t *ms)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_REVISION);
    database_bind_integer(find, ":id", member_id);
    return database_find_integer(store->database, find, "password_set_at", ms);
}

enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1])
{
    struct transaction transaction;
    unsigned char secret[UUID_BYTES];
    int64_t password_set_at_ms = 0;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = find_or_make_secret(store, member_id, secret);
    if (result == STORE_DONE)
        result = find_password_time(store, member_id, &password_set_at_ms);
    if (result == STORE_DONE)
        result = store_commit(&transaction);
    else
        store_rollback(&transaction);
    if (result == STORE_DONE)
        format_code(secret, password_set_at_ms, out);
    return result;
}

/* In a time that says nothing of where they differ. */
static bool same_code(struct text code, const char expected[FEED_CODE_LENGTH + 1])
{
    unsigned char difference = code.length != FEED_CODE_LENGTH;
    for (size_t i = 0; i < FEED_CODE_LENGTH && i < code.length; i++)
        difference |= (unsigned char)(code.bytes[i] ^ expected[i]);
    return difference == 0;
}

enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_MEMBER);
    struct match_callsign normal;
    char expected[FEED_CODE_LENGTH + 1] = "";
    match_normalise_callsign(callsign, &normal);
    database_bind_text(find, ":callsign", (struct text){normal.bytes, normal.length});
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = (struct feed_member){
        .id = database_read_integer(find, "id"),
        .log_revision = database_read_integer(find, "log_revision"),
        .password_set_at_ms = database_read_integer(find, "password_set_at"),
    };
    format_code(database_read_blob(find, "client_id_secret"), out->password_set_at_ms, expected);
    sqlite3_reset(find->handle);
    return same_code(code, expected) ? STORE_DONE : STORE_NONE;
}

enum store_result store_renew_feed_member(struct store *store, struct feed_member *member)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_REVISION);
    database_bind_integer(find, ":id", member->id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    member->log_revision = database_read_integer(find, "log_revision");
    bool is_same = database_read_integer(find, "password_set_at") == member->password_set_at_ms;
    sqlite3_reset(find->handle);
    return is_same ? STORE_DONE : STORE_NONE;
}
