/* Browsers that are signed in: opened after a password or by a link, listed, ended. Only the
 * fingerprint of a cookie or a link is kept, so that nobody who reads the logbook can use one. A
 * session that has ended has no row; a link that does not work any more is kept for a month, so
 * that its member can be told why. Cookies are left to the site, looking up to credentials.c. */
#include "store/sessions.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/operator_log.h"
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

enum store_result sessions_remove_old(struct transaction *transaction)
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
    return result == STORE_DONE ? sessions_remove_old(transaction) : result;
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

enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = check_password(&transaction, sign_in);
    if (result == STORE_DONE)
        result = prove(&transaction, STATEMENT_PROVE_SESSION, sign_in->member_id, number);
    return store_finish(&transaction, result);
}

bool store_session_is_proved(const struct identity *session, int64_t now_ms)
{
    int64_t since_ms = now_ms - session->proved_at_ms;
    return session->proved_at_ms > 0 && since_ms > -AHEAD_MS && since_ms < SESSION_PROOF_MS;
}

void store_note_session_use(struct store *store, int64_t number, int64_t day)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *update =
        database_statement(store->database, STATEMENT_UPDATE_SESSION_LAST_USED);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":last_used_day", day);
    store_finish(&transaction, database_run(store->database, update));
}

enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_SESSIONS);
    database_bind_integer(list, ":member_id", member_id);
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
               ? sessions_replace_links(transaction, member_id, LINK_INVITATION, LINK_DEVICE)
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
        result = sessions_replace_links(&transaction, member_id, LINK_DEVICE, LINK_DEVICE);
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
    result = end_all_but(&transaction, member_id, kept);
    if (result == STORE_DONE)
        result = sessions_replace_links(&transaction, member_id, LINK_DEVICE, LINK_DEVICE);
    if (result == STORE_DONE)
        result =
            operator_log_note_member(&transaction, "member sign-out", member_id, "all sessions");
    return store_finish(&transaction, result);
}

enum store_result sessions_write_password(struct transaction *transaction, int64_t member_id,
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
    result = sessions_write_password(&transaction, member_id, hash);
    if (result == STORE_DONE)
        result = end_all_but(&transaction, member_id, kept);
    if (result == STORE_DONE)
        result = sessions_replace_links(&transaction, member_id, LINK_INVITATION, LINK_DEVICE);
    if (result == STORE_DONE && kept)
        result = prove(&transaction, STATEMENT_SETTLE_SESSION, member_id, kept);
    return store_finish(&transaction, result);
}
