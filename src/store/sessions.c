/* Browsers that are signed in: opened after a password or by a link, listed, ended. Only the
 * fingerprint of a cookie or a link is kept, so that nobody who reads the logbook can use one. A
 * session that has ended has no row; a link that does not work any more is kept for a month, so
 * that its member can be told why. Cookies are left to the site, looking up to credentials.c, and
 * whether a password is right to src/base/password.c. */
#include "store/sessions.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/store.h"
#include "store/transaction.h"

#define LINK_DAYS 30  /* that a link is kept after its end */
#define LINKS_KEPT 20 /* of a member and kind */
#define REMOVED_AT_ONCE 10
#define AHEAD_MS 1000 /* what a request that was on its way may take for later */

/* -- Opening ----------------------------------------------------------------------------------- */

static int64_t day_of(const struct transaction *transaction)
{
    return transaction->written_at_ms / DATETIME_DAY_MS;
}

/* Removes a few sessions and links that ended long ago. */
static enum store_result remove_old(struct transaction *transaction)
{
    struct database *database = transaction->store->database;
    struct statement *sessions = database_statement(database, STATEMENT_DELETE_OLD_SESSIONS);
    struct statement *links = database_statement(database, STATEMENT_DELETE_OLD_LINKS);
    database_bind_integer(sessions, ":first_day", day_of(transaction) - SESSION_DAYS);
    database_bind_integer(sessions, ":most", REMOVED_AT_ONCE);
    database_bind_integer(links, ":before",
                          transaction->written_at_ms - LINK_DAYS * DATETIME_DAY_MS);
    database_bind_integer(links, ":most", REMOVED_AT_ONCE);
    enum store_result result = database_run(transaction->store->database, sessions);
    return result == STORE_DONE ? database_run(transaction->store->database, links) : result;
}

enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened)
{
    struct statement *insert =
        store_member_statement(transaction->store, STATEMENT_INSERT_SESSION, opened->member_id);
    database_bind_blob(insert, ":fingerprint", opened->fingerprint, API_KEY_FINGERPRINT_BYTES);
    database_bind_text(insert, ":device", opened->device);
    database_bind_integer(insert, ":created_at", transaction->written_at_ms);
    database_bind_integer(insert, ":last_used_day", day_of(transaction));
    database_bind_integer(insert, ":proved_at", opened->proved_at_ms);
    database_bind_integer(insert, ":may_set_password", opened->may_set_password);
    enum store_result result = database_change(transaction->store->database, insert);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DENIED : result;
    struct statement *surplus = store_member_statement(
        transaction->store, STATEMENT_DELETE_SURPLUS_SESSIONS, opened->member_id);
    database_bind_integer(surplus, ":id",
                          sqlite3_last_insert_rowid(transaction->store->database->handle));
    database_bind_integer(surplus, ":kept", SESSION_MAX - 1);
    result = database_run(transaction->store->database, surplus);
    return result == STORE_DONE ? remove_old(transaction) : result;
}

/* STORE_DENIED: the password that was verified is no longer that of an active member. */
static enum store_result check_password(struct transaction *transaction,
                                        const struct sign_in *sign_in)
{
    struct statement *find = store_member_statement(
        transaction->store, STATEMENT_FIND_PASSWORD_OWNER, sign_in->member_id);
    database_bind_text(find, ":password_hash", sign_in->password_hash);
    enum store_result result = database_step(transaction->store->database, find);
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DENIED : result;
}

enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device,
                                     const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES])
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = check_password(&transaction, sign_in);
    if (result == STORE_DONE)
        result = sessions_open(&transaction,
                               &(struct new_session){.member_id = sign_in->member_id,
                                                     .device = device,
                                                     .fingerprint = fingerprint,
                                                     .proved_at_ms = transaction.written_at_ms});
    return store_finish(&transaction, result);
}

static struct statement *name_session(struct transaction *transaction, enum statement_name name,
                                      int64_t member_id, int64_t number)
{
    struct statement *statement = store_member_statement(transaction->store, name, member_id);
    database_bind_integer(statement, ":id", number);
    return statement;
}

static enum store_result prove(struct transaction *transaction, enum statement_name name,
                               int64_t member_id, int64_t number)
{
    struct statement *update = name_session(transaction, name, member_id, number);
    database_bind_integer(update, ":proved_at", transaction->written_at_ms);
    enum store_result result = database_change(transaction->store->database, update);
    return result == STORE_NONE ? STORE_DENIED : result;
}

enum store_result sessions_prove(struct transaction *transaction, int64_t member_id, int64_t number)
{
    return prove(transaction, STATEMENT_PROVE_SESSION, member_id, number);
}

enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = check_password(&transaction, sign_in);
    if (result == STORE_DONE)
        result = sessions_prove(&transaction, sign_in->member_id, number);
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
    struct statement *list = store_member_statement(store, STATEMENT_LIST_SESSIONS, member_id);
    database_bind_integer(list, ":first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct session session = {
            .number = database_read_integer(list, "id"),
            .device = database_read_text(list, "device"),
            .created_at_ms = database_read_integer(list, "created_at"),
            .last_used_day = database_read_integer(list, "last_used_day"),
        };
        visit(context, &session);
    }
    return result;
}

/* -- Ending ------------------------------------------------------------------------------------ */

/* Takes back the open links of the member of these kinds. */
static enum store_result replace_links(struct transaction *transaction, int64_t member_id,
                                       enum sign_in_link first, enum sign_in_link last)
{
    struct statement *update =
        store_member_statement(transaction->store, STATEMENT_REPLACE_LINKS, member_id);
    database_bind_integer(update, ":first_kind", first);
    database_bind_integer(update, ":last_kind", last);
    database_bind_integer(update, ":replaced_at", transaction->written_at_ms);
    return database_run(transaction->store->database, update);
}

static enum store_result end_all_but(struct transaction *transaction, int64_t member_id,
                                     int64_t kept)
{
    struct statement *end =
        store_member_statement(transaction->store, STATEMENT_DELETE_SESSIONS, member_id);
    database_bind_integer(end, ":kept", kept);
    return database_run(transaction->store->database, end);
}

enum store_result sessions_end_all(struct transaction *transaction, int64_t member_id)
{
    enum store_result result = end_all_but(transaction, member_id, 0);
    return result == STORE_DONE
               ? replace_links(transaction, member_id, LINK_INVITATION, LINK_DEVICE)
               : result;
}

enum store_result sessions_end_others(struct transaction *transaction, int64_t member_id,
                                      int64_t kept)
{
    enum store_result result = end_all_but(transaction, member_id, kept);
    return result == STORE_DONE ? replace_links(transaction, member_id, LINK_DEVICE, LINK_DEVICE)
                                : result;
}

enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *end = name_session(&transaction, STATEMENT_DELETE_SESSION, member_id, number);
    result = database_change(store->database, end);
    if (result == STORE_DONE)
        result = replace_links(&transaction, member_id, LINK_DEVICE, LINK_DEVICE);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, "member sign-out", member_id,
                                          "session %lld", (long long)number);
    return store_finish(&transaction, result);
}

enum store_result store_end_sessions(struct store *store, int64_t member_id, int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = sessions_end_others(&transaction, member_id, kept);
    if (result == STORE_DONE)
        result =
            operator_log_note_member(&transaction, "member sign-out", member_id, "all sessions");
    return store_finish(&transaction, result);
}

/* NULL takes the password away. STORE_NONE: there is no such member. */
static enum store_result write_password(struct transaction *transaction, int64_t member_id,
                                        const char *hash)
{
    struct statement *update =
        store_member_statement(transaction->store, STATEMENT_SET_PASSWORD, member_id);
    database_bind_text(update, ":password_hash", text_of(hash));
    database_bind_integer(update, ":password_set_at", transaction->stamp_ms);
    return database_change(transaction->store->database, update);
}

enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = write_password(&transaction, member_id, hash);
    if (result == STORE_DONE)
        result = end_all_but(&transaction, member_id, kept);
    if (result == STORE_DONE)
        result = replace_links(&transaction, member_id, LINK_INVITATION, LINK_DEVICE);
    if (result == STORE_DONE && kept)
        result = prove(&transaction, STATEMENT_SETTLE_SESSION, member_id, kept);
    return store_finish(&transaction, result);
}

/* -- Links ------------------------------------------------------------------------------------- */

/* They sign a member in, once each: invitations, and those for another device. One that does
 * not work any more is kept for a month, so that its member can be told why; how many are kept has
 * a bound. */

static enum store_result add_link(struct transaction *transaction, int64_t member_id,
                                  enum sign_in_link kind, const unsigned char *fingerprint,
                                  int64_t valid_ms)
{
    struct statement *insert =
        store_member_statement(transaction->store, STATEMENT_INSERT_LINK, member_id);
    database_bind_integer(insert, ":kind", kind);
    database_bind_blob(insert, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    database_bind_integer(insert, ":made_at", transaction->written_at_ms);
    database_bind_integer(insert, ":expires_at", transaction->written_at_ms + valid_ms);
    enum store_result result = database_change(transaction->store->database, insert);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_REFUSED : result;
    struct statement *surplus =
        store_member_statement(transaction->store, STATEMENT_DELETE_SURPLUS_LINKS, member_id);
    database_bind_integer(surplus, ":kind", kind);
    database_bind_integer(surplus, ":kept", LINKS_KEPT);
    result = database_run(transaction->store->database, surplus);
    return result == STORE_DONE ? remove_old(transaction) : result;
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
    if (result != STORE_DONE)
        return result;
    result = replace_links(&transaction, member_id, kind, kind);
    if (result == STORE_DONE)
        result = add_link(&transaction, member_id, kind, fingerprint, valid_ms);
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
    if (result != STORE_DONE)
        return result;
    result = sessions_end_all(&transaction, member_id);
    if (result == STORE_DONE)
        result = write_password(&transaction, member_id, NULL);
    if (result == STORE_DONE)
        result = database_run(store->database,
                              store_member_statement(store, STATEMENT_DELETE_PASSKEYS, member_id));
    if (result == STORE_DONE)
        result = add_link(&transaction, member_id, LINK_INVITATION, fingerprint, valid_ms);
    if (result == STORE_DONE)
        result = note_invitation(&transaction, member_id, valid_ms,
                                 "; signed out everywhere, no password, no passkey");
    return store_finish(&transaction, result);
}

struct found_link {
    int64_t id;
    int64_t member_id;
    enum sign_in_link kind;
    enum link_outcome outcome;
};

/* A link that was made while the clock was far ahead must not work until then. */
static enum link_outcome judge(const struct statement *row, int64_t now_ms)
{
    if (database_read_integer(row, "active") == 0)
        return LINK_UNKNOWN;
    if (!database_is_null(row, "used_at"))
        return LINK_USED;
    if (!database_is_null(row, "replaced_at"))
        return LINK_REPLACED;
    bool is_too_early = database_read_integer(row, "made_at") - now_ms > DATETIME_DAY_MS;
    bool is_too_late = database_read_integer(row, "expires_at") <= now_ms;
    return is_too_early || is_too_late ? LINK_EXPIRED : LINK_WORKED;
}

static enum store_result find_link(struct transaction *transaction,
                                   const unsigned char *fingerprint, struct found_link *link)
{
    struct database *database = transaction->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_LINK);
    database_bind_blob(find, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    enum store_result result = database_step(database, find);
    *link = (struct found_link){.outcome = LINK_UNKNOWN};
    if (result == STORE_DONE)
        *link = (struct found_link){
            .id = database_read_integer(find, "id"),
            .member_id = database_read_integer(find, "member_id"),
            .kind = (enum sign_in_link)database_read_integer(find, "kind"),
            .outcome = judge(find, transaction->written_at_ms),
        };
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Somebody may enter by an invitation alone; a link for another device only takes over what the
 * first one may. */
static enum store_result enter(struct transaction *transaction, const struct found_link *link,
                               struct text device, const unsigned char *session)
{
    bool invited = link->kind == LINK_INVITATION;
    struct statement *use = database_statement(transaction->store->database, STATEMENT_USE_LINK);
    database_bind_integer(use, ":id", link->id);
    database_bind_integer(use, ":used_at", transaction->written_at_ms);
    enum store_result result = database_run(transaction->store->database, use);
    if (result != STORE_DONE)
        return result;
    return sessions_open(
        transaction, &(struct new_session){.member_id = link->member_id,
                                           .device = device,
                                           .fingerprint = session,
                                           .proved_at_ms = invited ? transaction->written_at_ms : 0,
                                           .may_set_password = invited});
}

enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device,
                                 const unsigned char session[API_KEY_FINGERPRINT_BYTES],
                                 enum link_outcome *outcome, enum sign_in_link *kind)
{
    struct transaction transaction;
    struct found_link found;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = find_link(&transaction, link, &found);
    if (result == STORE_DONE && found.outcome == LINK_WORKED)
        result = store_finish(&transaction, enter(&transaction, &found, device, session));
    else
        store_rollback(&transaction);
    if (result == STORE_DONE) {
        *outcome = found.outcome;
        *kind = found.kind;
    }
    return result;
}

/* -- Who signs in ------------------------------------------------------------------------------ */

/* By callsign, in every spelling that confirmation takes for the same one, or by login name. */

static void keep_sign_in(const struct statement *row, struct arena *arena, struct sign_in *out)
{
    *out = (struct sign_in){
        .member_id = database_read_integer(row, "id"),
        .callsign = database_keep_text(row, "callsign", arena),
        .password_hash = database_keep_text(row, "password_hash", arena),
        .member_is_active = database_read_integer(row, "active") != 0,
    };
}

/* The one member, or the one of several whose own spelling it is. */
static enum store_result find_callsign(struct store *store, struct arena *arena, struct text name,
                                       struct sign_in *out)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_SIGN_IN_CALLSIGNS);
    struct match_callsign callsign;
    const char *own = arena_copy(arena, name.bytes, name.length);
    enum store_result result = STORE_DONE;
    int count = 0;
    bool is_own = false;
    match_normalise_callsign(name, &callsign);
    if (callsign.length == 0 || name.length > MATCH_CALLSIGN_BYTES)
        return STORE_NONE;
    database_bind_text(list, ":callsign", match_text(&callsign));
    while (database_next(store->database, list, &result)) {
        bool here = text_equals_ignoring_case(database_read_text(list, "callsign"), own);
        if (here || !is_own)
            keep_sign_in(list, arena, out);
        is_own = is_own || here;
        count++;
    }
    if (result != STORE_DONE)
        return result;
    return count == 1 || is_own ? STORE_DONE : STORE_NONE;
}

/* The one row of a statement whose parameters are bound. */
static enum store_result find_one(struct store *store, struct statement *find, struct arena *arena,
                                  struct sign_in *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        keep_sign_in(find, arena, out);
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out)
{
    name = text_trim(name);
    if (name.length == 0 || text_has_nul(name))
        return STORE_NONE;
    enum store_result result = find_callsign(store, arena, name, out);
    if (result != STORE_NONE)
        return result;
    struct statement *find = database_statement(store->database, STATEMENT_FIND_SIGN_IN_LOGIN);
    database_bind_text(find, ":login", name);
    return find_one(store, find, arena, out);
}

enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_SIGN_IN, member_id);
    return find_one(store, find, arena, out);
}
