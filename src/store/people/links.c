/* Stores links that sign a member in once: invitations, and links for another device. Only the
 * fingerprint of a link is stored. A link is kept for a month after its expiry, so that its member
 * can learn why the link does not work; the number of stored links is limited. */
#include "store/people/links.h"

#include "base/datetime.h"
#include "store/operator_log.h"
#include "store/people/passwords.h"
#include "store/store.h"

#define LINKS_KEPT 20 /* maximum number per member and kind */

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
    return THEN(result, sessions_remove_old(transaction));
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
    THEN(result, sessions_replace_links(&transaction, member_id, kind, kind));
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
    THEN(result, passwords_write(&transaction, member_id, NULL));
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

enum store_result store_describe_link(struct store *store, struct arena *arena,
                                      const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                      int64_t now_ms, struct link_description *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(link_description, callsign, "callsign"), COLUMN(link_description, sender, "sender"),
        COLUMN(link_description, kind, "kind"), COLUMN(link_description, outcome, "outcome"),
        COLUMN(link_description, expires_at_ms, "expires_at"));
    *out = (struct link_description){.outcome = LINK_UNKNOWN};
    enum store_result result =
        store_find(store, columns, arena, out, STATEMENT_FIND_LINK,
                   BIND_BLOB("fingerprint", link, API_KEY_FINGERPRINT_BYTES), BIND("now", now_ms));
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
        /* Only an invitation proves the member's identity. A link for another device passes on the
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
