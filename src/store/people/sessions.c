/* Opens, lists and ends sessions. Only the fingerprint of a cookie is stored, so nobody who reads
 * the logbook can use the cookie. A session that has ended has no row. The site handles cookies,
 * store/credentials.c finds sessions, and src/base/password.c verifies passwords. */
#include "store/people/sessions.h"

#include "base/base62.h"
#include "base/datetime.h"
#include "base/secret.h"
#include "store/ageing.h"
#include "store/people/seal.h"
#include "store/store.h"
#include "store/transaction.h"

#define LINK_DAYS 30 /* time for which a link is kept after its expiry */
#define REMOVED_AT_ONCE 10
#define COOKIE_RANDOM_DIGITS 21 /* number of digits, which contain 125 random bits */
#define COOKIE_END_DIGITS (API_KEY_COOKIE_LENGTH - COOKIE_RANDOM_DIGITS)
/* tolerance for a proof that is later than the current request */
#define AHEAD_MS 1000

static int64_t day_of(const struct transaction *transaction)
{
    return transaction->written_at_ms / DATETIME_DAY_MS;
}

enum store_result sessions_remove_old(struct transaction *transaction)
{
    const int64_t unused_since_ms = store_old_before(transaction, SESSION_DAYS * DATETIME_DAY_MS);
    enum store_result result = store_run(transaction->store, STATEMENT_DELETE_OLD_SESSIONS,
                                         BIND("first_day", unused_since_ms / DATETIME_DAY_MS),
                                         BIND("most", REMOVED_AT_ONCE));
    return THEN(result, store_run(transaction->store, STATEMENT_DELETE_OLD_LINKS,
                                  BIND("before",
                                       store_old_before(transaction, LINK_DAYS * DATETIME_DAY_MS)),
                                  BIND("most", REMOVED_AT_ONCE)));
}

/* Writes the end of a cookie, which is computed from the cookie's random beginning and from the
 * member. */
static enum store_result write_cookie_end(struct store *store, const char *beginning,
                                          int64_t member_id, char out[COOKIE_END_DIGITS])
{
    unsigned char hash[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint((struct text){beginning, COOKIE_RANDOM_DIGITS}, hash);
    enum store_result result = store_seal(store, hash, -member_id, hash);
    base62_encode(hash, sizeof hash, out, COOKIE_END_DIGITS);
    return result;
}

bool store_cookie_is_of(struct store *store, struct text cookie, int64_t member_id)
{
    char end[COOKIE_END_DIGITS];
    return cookie.length == API_KEY_COOKIE_LENGTH &&
           write_cookie_end(store, cookie.bytes, member_id, end) == STORE_DONE &&
           secret_equals(end, cookie.bytes + COOKIE_RANDOM_DIGITS, sizeof end);
}

enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened,
                                char cookie[SESSION_COOKIE_SIZE])
{
    struct store *store = transaction->store;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_make_cookie(cookie);
    enum store_result result =
        write_cookie_end(store, cookie, opened->member_id, cookie + COOKIE_RANDOM_DIGITS);
    api_key_fingerprint(text_of(cookie), fingerprint);
    THEN(result, store_change(store, STATEMENT_INSERT_SESSION, BIND("member_id", opened->member_id),
                              BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES),
                              BIND("device", opened->device),
                              BIND("created_at", transaction->written_at_ms),
                              BIND("last_used_day", day_of(transaction)),
                              BIND("proved_at", opened->proved_at_ms),
                              BIND("may_set_password", opened->may_set_password)));
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DENIED : result;
    result =
        store_run(store, STATEMENT_DELETE_SURPLUS_SESSIONS, BIND("member_id", opened->member_id),
                  BIND("id", sqlite3_last_insert_rowid(store->database->handle)),
                  BIND("kept", SESSION_MAX - 1));
    return THEN(result, sessions_remove_old(transaction));
}

/* Checks that the password that was verified is still the password of an active member; otherwise
 * returns STORE_DENIED. */
static enum store_result check_password(struct transaction *transaction,
                                        const struct sign_in *sign_in)
{
    bool is_same;
    enum store_result result = store_has(
        transaction->store, &is_same, STATEMENT_FIND_PASSWORD_OWNER,
        BIND("member_id", sign_in->member_id), BIND("password_hash", sign_in->password_hash));
    return result == STORE_DONE && !is_same ? STORE_DENIED : result;
}

enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device, char cookie[SESSION_COOKIE_SIZE])
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, check_password(&transaction, sign_in));
    THEN(result, sessions_open(&transaction,
                               &(struct new_session){.member_id = sign_in->member_id,
                                                     .device = device,
                                                     .proved_at_ms = transaction.written_at_ms},
                               cookie));
    return store_finish(&transaction, result);
}

enum store_result sessions_prove(struct transaction *transaction, int64_t member_id, int64_t number,
                                 bool has_set_password)
{
    enum store_result result = store_change(
        transaction->store, has_set_password ? STATEMENT_SETTLE_SESSION : STATEMENT_PROVE_SESSION,
        BIND("member_id", member_id), BIND("id", number),
        BIND("proved_at", transaction->written_at_ms));
    return result == STORE_NONE ? STORE_DENIED : result;
}

enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, check_password(&transaction, sign_in));
    THEN(result, sessions_prove(&transaction, sign_in->member_id, number, false));
    return store_finish(&transaction, result);
}

bool store_session_is_proved(const struct identity *session, int64_t now_ms)
{
    int64_t since_ms = now_ms - session->proved_at_ms;
    return session->proved_at_ms > 0 && since_ms > -AHEAD_MS && since_ms < SESSION_PROOF_MS;
}

enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(session, number, "id"), COLUMN(session, device, "device"),
                COLUMN(session, created_at_ms, "created_at"),
                COLUMN(session, last_used_day, "last_used_day"));
    ROW_READER(columns, STATEMENT_LIST_SESSIONS);
    struct statement *list =
        store_with(store, STATEMENT_LIST_SESSIONS, BIND("member_id", member_id),
                   BIND("first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS));
    struct session session;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &session, &result))
        visit(context, &session);
    return result;
}

enum store_result sessions_replace_links(struct transaction *transaction, int64_t member_id,
                                         enum sign_in_link first, enum sign_in_link last)
{
    return store_run(transaction->store, STATEMENT_REPLACE_LINKS, BIND("member_id", member_id),
                     BIND("first_kind", first), BIND("last_kind", last),
                     BIND("replaced_at", transaction->written_at_ms));
}

enum store_result sessions_end(struct transaction *transaction, int64_t member_id, int64_t kept,
                               enum sign_in_link first)
{
    enum store_result result = store_run(transaction->store, STATEMENT_DELETE_SESSIONS,
                                         BIND("member_id", member_id), BIND("kept", kept));
    return THEN(result, sessions_replace_links(transaction, member_id, first, LINK_DEVICE));
}

enum store_result sessions_end_devices(struct transaction *transaction, int64_t member_id,
                                       int64_t kept, enum sign_in_link first)
{
    enum store_result result =
        store_run(transaction->store, STATEMENT_REVOKE_OTHER_APPS, BIND("member_id", member_id),
                  BIND("kept", kept), BIND("revoked_at", transaction->written_at_ms));
    return THEN(result, sessions_end(transaction, member_id, kept, first));
}

enum store_result sessions_end_one(struct transaction *transaction, int64_t member_id,
                                   int64_t number)
{
    enum store_result result = store_change(transaction->store, STATEMENT_DELETE_SESSION,
                                            BIND("member_id", member_id), BIND("id", number));
    return THEN(result, sessions_replace_links(transaction, member_id, LINK_DEVICE, LINK_DEVICE));
}

enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, sessions_end_one(&transaction, member_id, number));
    return store_finish(&transaction, result);
}
