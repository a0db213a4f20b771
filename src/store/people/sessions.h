/* Opens, lists and ends sessions: browsers in which a member is signed in. Only fingerprints are
 * stored. store/credentials.h looks a session up, passkeys.h opens a session with a passkey, and
 * links.h opens a session with a link. To sign a member in with a password:
 *
 *     store_find_sign_in(store, arena, name, &found)
 *     ... password_verify() against found.password_hash
 *     store_open_session(store, &found, device, cookie)
 *
 * The functions that open a session check everything again in their own transaction. Since the
 * first step, the member may have been disabled, or have set another password. The caller later
 * erases the cookie from memory. Functions with a transaction are called inside a write
 * transaction. */
#ifndef QSOSYNC_STORE_SESSIONS_H
#define QSOSYNC_STORE_SESSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/uuid.h"
#include "store/people/sign_in.h"
#include "store/transaction.h"

/* maximum number per member; a further session ends the least recently used session */
#define SESSION_MAX 100
/* time for which a password, a passkey or an invitation counts as recent proof */
#define SESSION_PROOF_MS 900000

/* The kinds of links that sign a member in; see links.h. */
enum sign_in_link { LINK_INVITATION, LINK_DEVICE };

/* The size of a session's cookie, with a final NUL. Only the cookie's fingerprint is stored. */
#define SESSION_COOKIE_SIZE (API_KEY_COOKIE_LENGTH + 1)

/* Opens a session after the caller has verified the password against sign_in. Fills the cookie only
 * if the result is STORE_DONE. Returns STORE_DENIED if the member is no longer active, or now has
 * another password. Runs its own transaction. */
enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device, char cookie[SESSION_COOKIE_SIZE]);

/* Returns whether the cookie is from a browser in which this member signed in, even if the session
 * has ended. Returns false for all cookies from before a restore. */
bool store_cookie_is_of(struct store *store, struct text cookie, int64_t member_id);

/* Records that the caller has verified the password once more in the session with this number.
 * Returns STORE_DENIED if the session has ended, or if the member is no longer active or now has
 * another password. Runs its own transaction. */
enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number);

/* Returns whether a password, a passkey or an invitation was verified in this session within the
 * last SESSION_PROOF_MS. Returns false if the clock has been set back since, by a second or more.
 */
bool store_session_is_proved(const struct identity *session, int64_t now_ms);

struct session {
    int64_t number;
    struct text device;
    int64_t created_at_ms;
    int64_t last_used_day;
};
typedef void session_visitor(void *context, const struct session *session);

/* Calls visit for each of the member's sessions that has not ended by now_ms, latest use first. The
 * texts are valid during the call to visit. */
enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context);

/* Ends a session, and revokes an open link for another device. The app in the browser keeps its
 * keys (devices.h). Returns STORE_NONE if the member has no session with this number. Runs its own
 * transaction. */
enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number);

/* The data for a session that a function will open. */
struct new_session {
    int64_t member_id;
    struct text device;
    int64_t proved_at_ms;
    bool may_set_password;
};

/* Opens a session. Returns STORE_DENIED if the member is not active, does not exist, or is a
 * station. */
enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened,
                                char cookie[SESSION_COOKIE_SIZE]);

/* Records that the member has proved their identity again, or has set a password, in the session
 * with this number. Returns STORE_DENIED if the session has ended. */
enum store_result sessions_prove(struct transaction *transaction, int64_t member_id, int64_t number,
                                 bool has_set_password);

/* Ends a session as store_end_session does. */
enum store_result sessions_end_one(struct transaction *transaction, int64_t member_id,
                                   int64_t number);

/* Ends all of the member's sessions except `kept` (0: no exception). Revokes the open links from
 * the kind `first` on: LINK_INVITATION means all links. */
enum store_result sessions_end(struct transaction *transaction, int64_t member_id, int64_t kept,
                               enum sign_in_link first);

/* Does the work of sessions_end. Also revokes the keys of all apps except the app in the browser
 * with the session `kept`. */
enum store_result sessions_end_devices(struct transaction *transaction, int64_t member_id,
                                       int64_t kept, enum sign_in_link first);

/* Revokes the member's open links of the kinds from `first` to `last`. */
enum store_result sessions_replace_links(struct transaction *transaction, int64_t member_id,
                                         enum sign_in_link first, enum sign_in_link last);

/* Removes a few sessions and links that ended long ago. */
enum store_result sessions_remove_old(struct transaction *transaction);

#endif
