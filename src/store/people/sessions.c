/* Signed-in browsers: opens sessions after a password or a link, lists and ends them. Only the
 * fingerprint of a cookie or a link is stored, so nobody who reads the logbook can use it. A
 * session that has ended has no row. An expired link is kept for a month, so that its member can
 * learn the reason. The site handles cookies, credentials.c finds sessions, and src/base/password.c
 * verifies passwords. */
#include "store/people/sessions.h"

#include "base/base62.h"
#include "base/datetime.h"
#include "base/secret.h"
#include "qso/match_callsign.h"
#include "store/ageing.h"
#include "store/operator_log.h"
#include "store/people/seal.h"
#include "store/store.h"
#include "store/transaction.h"

#define LINK_DAYS 30  /* time that a link is kept after its end */
#define LINKS_KEPT 20 /* links per member and kind */
#define REMOVED_AT_ONCE 10
#define COOKIE_RANDOM_DIGITS 21 /* 125 random bits */
#define COOKIE_END_DIGITS (API_KEY_COOKIE_LENGTH - COOKIE_RANDOM_DIGITS)
#define AHEAD_MS 1000 /* margin by which requests in transit may seem later */

/* -- Opening ----------------------------------------------------------------------------------- */

static int64_t day_of(const struct transaction *transaction)
{
    return transaction->written_at_ms / DATETIME_DAY_MS;
}

/* Removes a few sessions and links that ended long ago. */
static enum store_result remove_old(struct transaction *transaction)
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

/* Writes the end of a cookie, which follows from its random beginning and from the member. */
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
    return THEN(result, remove_old(transaction));
}

/* STORE_DENIED: the verified password is no longer that of an active member. */
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

/* -- Ending ------------------------------------------------------------------------------------ */

/* Revokes the member's open links of these kinds. */
static enum store_result replace_links(struct transaction *transaction, int64_t member_id,
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
    return THEN(result, replace_links(transaction, member_id, first, LINK_DEVICE));
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
    return THEN(result, replace_links(transaction, member_id, LINK_DEVICE, LINK_DEVICE));
}

enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, sessions_end_one(&transaction, member_id, number));
    return store_finish(&transaction, result);
}

/* NULL removes the password. STORE_NONE: no such member. */
static enum store_result write_password(struct transaction *transaction, int64_t member_id,
                                        const char *hash)
{
    return store_change(transaction->store, STATEMENT_SET_PASSWORD, BIND("member_id", member_id),
                        BIND("password_hash", text_of(hash)),
                        BIND("password_set_at", transaction->stamp_ms));
}

enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, write_password(&transaction, member_id, hash));
    THEN(result, sessions_end_devices(&transaction, member_id, kept, LINK_INVITATION));
    if (result == STORE_DONE && kept)
        result = sessions_prove(&transaction, member_id, kept, true);
    return store_finish(&transaction, result);
}

/* -- Links ------------------------------------------------------------------------------------- */

/* Links sign a member in, once each: invitations, and links for another device. An expired link is
 * kept for a month, so that its member can learn the reason; the number of kept links is limited.
 */

static enum store_result add_link(struct transaction *transaction, int64_t member_id,
                                  enum sign_in_link kind, const unsigned char *fingerprint,
                                  int64_t valid_ms)
{
    enum store_result result = store_change(
        transaction->store, STATEMENT_INSERT_LINK, BIND("member_id", member_id), BIND("kind", kind),
        BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES),
        BIND("made_at", transaction->written_at_ms),
        BIND("expires_at", transaction->written_at_ms + valid_ms));
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_REFUSED : result;
    result = store_run(transaction->store, STATEMENT_DELETE_SURPLUS_LINKS,
                       BIND("member_id", member_id), BIND("kind", kind), BIND("kept", LINKS_KEPT));
    return THEN(result, remove_old(transaction));
}

static enum store_result note_invitation(struct transaction *transaction, int64_t member_id,
                                         int64_t valid_ms, const char *what_ended)
{
    return operator_log_note_member(transaction, "member invite", member_id, "%lld days%s",
                                    (long long)(valid_ms / DATETIME_DAY_MS), what_ended);
}

enum store_result store_add_link(struct store *store, int64_t member_id, enum sign_in_link kind,
                                 const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                 int64_t valid_ms)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, replace_links(&transaction, member_id, kind, kind));
    THEN(result, add_link(&transaction, member_id, kind, fingerprint, valid_ms));
    if (result == STORE_DONE && kind == LINK_INVITATION)
        result = note_invitation(&transaction, member_id, valid_ms, "");
    return store_finish(&transaction, result);
}

enum store_result store_invite_new(struct store *store, int64_t member_id,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   int64_t valid_ms)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, sessions_end_devices(&transaction, member_id, 0, LINK_INVITATION));
    THEN(result, write_password(&transaction, member_id, NULL));
    THEN(result, store_run(store, STATEMENT_DELETE_PASSKEYS, BIND("member_id", member_id)));
    THEN(result, add_link(&transaction, member_id, LINK_INVITATION, fingerprint, valid_ms));
    THEN(result, note_invitation(&transaction, member_id, valid_ms,
                                 "; signed out everywhere, no password, no passkey"));
    return store_finish(&transaction, result);
}

struct found_link {
    int64_t id;
    int64_t member_id;
    enum sign_in_link kind;
    enum link_outcome outcome;
};

static enum store_result find_link(struct transaction *transaction,
                                   const unsigned char *fingerprint, struct found_link *link)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(found_link, id, "id"), COLUMN(found_link, member_id, "member_id"),
                COLUMN(found_link, kind, "kind"), COLUMN(found_link, outcome, "outcome"));
    *link = (struct found_link){.outcome = LINK_UNKNOWN};
    enum store_result result =
        store_find(transaction->store, columns, NULL, link, STATEMENT_FIND_LINK,
                   BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES),
                   BIND("now", transaction->written_at_ms));
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device, char cookie[SESSION_COOKIE_SIZE],
                                 enum link_outcome *outcome, enum sign_in_link *kind)
{
    struct transaction transaction;
    struct found_link found;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, find_link(&transaction, link, &found));
    if (result != STORE_DONE || found.outcome != LINK_WORKED) {
        store_finish(&transaction, STORE_NONE);
    } else {
        /* An invitation alone lets a member in; a link for another device only carries over the
         * rights of the first device. */
        const bool invited = found.kind == LINK_INVITATION;
        const struct new_session opened = {.member_id = found.member_id,
                                           .device = device,
                                           .proved_at_ms = invited ? transaction.written_at_ms : 0,
                                           .may_set_password = invited};
        result = store_run(store, STATEMENT_USE_LINK, BIND("id", found.id),
                           BIND("used_at", transaction.written_at_ms));
        THEN(result, sessions_open(&transaction, &opened, cookie));
        result = store_finish(&transaction, result);
    }
    if (result == STORE_DONE) {
        *outcome = found.outcome;
        *kind = found.kind;
    }
    return result;
}

/* -- Finding a member who signs in ------------------------------------------------------------- */

/* Finds a member by callsign, in every spelling that confirmation treats as the same, or by login
 * name. */

static const struct read_column sign_in_columns[] = COLUMNS(
    COLUMN(sign_in, member_id, "id"), COLUMN(sign_in, callsign, "callsign"),
    COLUMN(sign_in, password_hash, "password_hash"), COLUMN(sign_in, member_is_active, "active"));

enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out)
{
    struct match_callsign callsign;
    name = text_trim(name);
    if (name.length == 0 || text_has_nul(name))
        return STORE_NONE;
    match_normalise_callsign(name, &callsign);
    const bool is_callsign = callsign.length > 0 && name.length <= MATCH_CALLSIGN_BYTES;
    return store_find(store, sign_in_columns, arena, out, STATEMENT_FIND_SIGN_IN_NAME,
                      BIND("callsign", is_callsign ? match_text(&callsign) : (struct text){0}),
                      BIND("name", name));
}

enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out)
{
    return store_find(store, sign_in_columns, arena, out, STATEMENT_FIND_SIGN_IN,
                      BIND("member_id", member_id));
}
