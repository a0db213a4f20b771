/* Links that sign a member in, once each: invitations, and those for another device. One that does
 * not work any more is kept for a month, so that its member can be told why; how many are kept has
 * a bound. What a session is, and how one ends, is in sessions.c. */
#include "base/datetime.h"
#include "store/operator_log.h"
#include "store/sessions.h"
#include "store/store.h"
#include "store/transaction.h"

#define LINKS_KEPT 20 /* of a member and kind */

enum store_result sessions_replace_links(struct transaction *transaction, int64_t member_id,
                                         enum sign_in_link first, enum sign_in_link last)
{
    struct statement *update =
        store_member_statement(transaction->store, STATEMENT_REPLACE_LINKS, member_id);
    database_bind_integer(update, ":first_kind", first);
    database_bind_integer(update, ":last_kind", last);
    database_bind_integer(update, ":replaced_at", transaction->written_at_ms);
    return database_run(transaction->store->database, update);
}

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
    return result == STORE_DONE ? sessions_remove_old(transaction) : result;
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
    result = sessions_replace_links(&transaction, member_id, kind, kind);
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
        result = sessions_write_password(&transaction, member_id, NULL);
    if (result == STORE_DONE)
        result = add_link(&transaction, member_id, LINK_INVITATION, fingerprint, valid_ms);
    if (result == STORE_DONE)
        result = note_invitation(&transaction, member_id, valid_ms,
                                 "; signed out everywhere, no password");
    return store_finish(&transaction, result);
}

enum store_result store_list_links(struct store *store, int64_t member_id, link_visitor *visit,
                                   void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_LINKS, member_id);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct link link = {
            .kind = (enum sign_in_link)database_read_integer(list, "kind"),
            .made_at_ms = database_read_integer(list, "made_at"),
            .expires_at_ms = database_read_integer(list, "expires_at"),
            .used_at_ms = database_read_integer(list, "used_at"),
            .replaced_at_ms = database_read_integer(list, "replaced_at"),
        };
        visit(context, &link);
    }
    return result;
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
