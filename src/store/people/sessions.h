/* Sessions: browsers in which a member is signed in. Only fingerprints are stored. credentials.h
 * has the lookup of a session, passkeys.h signs in with a passkey, and links.h with a link. With a
 * password:
 *
 *     store_find_sign_in(store, arena, name, &found)
 *     ... password_verify() against found.password_hash
 *     store_open_session(store, &found, device, cookie)
 *
 * The functions that open a session check everything again in their own transaction: the member may
 * have been disabled, or have set another password, since the first step. The caller wipes the
 * cookie. Functions with a transaction are called inside a write transaction. */
#ifndef QSOSYNC_STORE_SESSIONS_H
#define QSOSYNC_STORE_SESSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/uuid.h"
#include "store/people/sign_in.h"
#include "store/transaction.h"

#define SESSION_MAX 100         /* per member; one more ends the least recently used */
#define SESSION_PROOF_MS 900000 /* how long a password or passkey counts as recent proof */

/* The kinds of links that sign a member in; see links.h. */
enum sign_in_link { LINK_INVITATION, LINK_DEVICE };

/* The token in a session's cookie, with a NUL. Only its fingerprint is stored. */
#define SESSION_COOKIE_SIZE (API_KEY_COOKIE_LENGTH + 1)

/* Opens a session after the caller has verified the password against sign_in. Fills the cookie only
 * if the result is STORE_DONE. STORE_DENIED: the member is no longer active, or now has another
 * password. Runs its own transaction. */
enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device, char cookie[SESSION_COOKIE_SIZE]);

/* Returns whether the cookie is from a browser in which this member signed in, even if the session
 * has ended. Returns false for all cookies from before a restore. */
bool store_cookie_is_of(struct store *store, struct text cookie, int64_t member_id);

/* Records that the caller has verified the password once more in the session with this number.
 * STORE_DENIED: the session has ended, the member is no longer active, or now has another password.
 * Runs its own transaction. */
enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number);

/* Returns whether a password, a passkey or an invitation was verified in this session in the last
 * SESSION_PROOF_MS. Returns false if the clock has gone back since. */
bool store_session_is_proved(const struct identity *session, int64_t now_ms);

struct session {
    int64_t number;
    struct text device;
    int64_t created_at_ms;
    int64_t last_used_day;
};
typedef void session_visitor(void *context, const struct session *session);

/* Lists the sessions that have not ended by now_ms, latest use first. The texts are valid during
 * the call. */
enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context);

/* Ends a session, and revokes an open link for another device. The app in the browser stays
 * (devices.h). STORE_NONE: the member has no session with this number. Runs its own transaction. */
enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number);

/* A session to open. */
struct new_session {
    int64_t member_id;
    struct text device;
    int64_t proved_at_ms;
    bool may_set_password;
};

/* Opens a session. STORE_DENIED: no such active member. */
enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened,
                                char cookie[SESSION_COOKIE_SIZE]);

/* Records that the member has proved their identity again, or has set a password, in the session
 * with this number. STORE_DENIED: the session has ended. */
enum store_result sessions_prove(struct transaction *transaction, int64_t member_id, int64_t number,
                                 bool has_set_password);

/* Ends a session as store_end_session does. */
enum store_result sessions_end_one(struct transaction *transaction, int64_t member_id,
                                   int64_t number);

/* Ends all sessions of the member except `kept` (0: ends all). Revokes the open links from the kind
 * `first` on: LINK_INVITATION means all links. */
enum store_result sessions_end(struct transaction *transaction, int64_t member_id, int64_t kept,
                               enum sign_in_link first);

/* Does the work of sessions_end, and revokes the keys of all apps except the app in the browser of
 * `kept`. */
enum store_result sessions_end_devices(struct transaction *transaction, int64_t member_id,
                                       int64_t kept, enum sign_in_link first);

/* Revokes the member's open links of the kinds from `first` to `last`. */
enum store_result sessions_replace_links(struct transaction *transaction, int64_t member_id,
                                         enum sign_in_link first, enum sign_in_link last);

/* Removes a few sessions and links that ended long ago. */
enum store_result sessions_remove_old(struct transaction *transaction);

#endif
