/* Signed-in browsers, and the links that sign one in; passkeys are in passkeys.h. Only fingerprints
 * are stored. How a session is looked up is in credentials.h.
 *
 * A member signs in with a password:
 *
 *     store_find_sign_in(store, arena, name, &found)
 *     ... password_verify() against found.password_hash
 *     store_open_session(store, &found, device, cookie)
 *
 * or with a link:
 *
 *     store_add_link(store, member_id, kind, fingerprint, valid_ms)    when the link is created
 *     store_use_link(store, fingerprint, device, cookie, &outcome, &kind)
 *
 * The functions that open a session check everything again in their own transaction: the member may
 * have been disabled, or have another password, since the first step. The caller wipes cookies,
 * secrets and hashes. Texts that a function fills in are in the caller's arena; those that a
 * visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_SESSIONS_H
#define QSOSYNC_STORE_SESSIONS_H

#include "base/passkey.h"
#include "base/uuid.h"
#include "store/transaction.h"

#define SESSION_MAX 100         /* per member; one more ends the least recently used */
#define SESSION_PROOF_MS 900000 /* how long a password or passkey counts as recent proof */
#define INVITATION_DAYS 7
#define INVITATION_DAYS_MAX 90
#define DEVICE_LINK_MS 600000

/* -- Sessions ---------------------------------------------------------------------------------- */

/* Finds the member who signs in with this callsign, in any spelling that confirmation treats as the
 * same, or with this login name; STORE_NONE: no such member. A callsign comes before a login name.
 * A logbook from before such pairs were refused may have two members whose callsigns confirmation
 * cannot tell apart. Each then signs in with their own spelling, upper or lower case, or only with
 * their login name. The texts are in the arena. */
struct sign_in {
    int64_t member_id;
    struct text callsign;
    struct text password_hash; /* no text: no password */
    bool member_is_active;
};
enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out);

/* The same for a member who is known already. */
enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out);

/* The token in a session's cookie, with a NUL. Only its fingerprint is stored. */
#define SESSION_COOKIE_SIZE (API_KEY_COOKIE_LENGTH + 1)

/* Opens a session after the caller has verified the password against sign_in. STORE_DENIED: the
 * member is no longer active, or has another password by now. *cookie is filled only with
 * STORE_DONE. Runs its own transaction. */
enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device, char cookie[SESSION_COOKIE_SIZE]);

/* Whether the cookie was once given to a browser in which this member signed in, even if its
 * session has ended. False for all cookies from before a restore. */
bool store_cookie_is_of(struct store *store, struct text cookie, int64_t member_id);

/* The password was verified once more in a session of this number. STORE_DENIED as above, and if
 * the session has ended. Runs its own transaction. */
enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number);

/* Whether the password or a passkey was given, or an invitation used, in this session in the last
 * SESSION_PROOF_MS. False if the clock has run back since. */
bool store_session_is_proved(const struct identity *session, int64_t now_ms);

struct session {
    int64_t number;
    struct text device;
    int64_t created_at_ms;
    int64_t last_used_day;
};
typedef void session_visitor(void *context, const struct session *session);

/* Lists the sessions that have not ended by now_ms, latest use first; the texts are valid during
 * the call. */
enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context);

/* Ends a session, and revokes an open link for another device; the app in its browser stays (see
 * devices.h). STORE_NONE: the member has no session with that number. Runs its own transaction. */
enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number);

/* Gives the member another password, signs out all devices but that of the session `kept` (0: none
 * is kept), and ends all links. hash is the result of password_hash. Runs its own transaction. */
enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept);

/* -- Links ------------------------------------------------------------------------------------- */

enum sign_in_link { LINK_INVITATION, LINK_DEVICE };

/* Creates a link of this kind, in place of an unused one. The caller has created its secret and
 * shows it once. STORE_REFUSED: the member is disabled or deleted. Runs its own transaction. */
enum store_result store_add_link(struct store *store, int64_t member_id, enum sign_in_link kind,
                                 const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                 int64_t valid_ms);

/* The same for an invitation that revokes all older access: ends all sessions and
 * links, and removes the password and the passkeys. Keys and tokens stay. */
enum store_result store_invite_new(struct store *store, int64_t member_id,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   int64_t valid_ms);

enum link_outcome { /* as schema/statements/sessions.sql has them */
                    LINK_WORKED,
                    LINK_UNKNOWN, /* or of a member who is disabled or deleted */
                    LINK_USED,
                    LINK_EXPIRED,
                    LINK_REPLACED,
};

/* Uses a link up and opens a session; fills the cookie only for LINK_WORKED. If two browsers use
 * the link at once, one gets in. All links that do not work take the same time. *kind is filled
 * except for LINK_UNKNOWN. Runs its own transaction, whose result is STORE_DONE for every outcome.
 */
enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device, char cookie[SESSION_COOKIE_SIZE],
                                 enum link_outcome *outcome, enum sign_in_link *kind);

/* -- For other files of the store -------------------------------------------------------------- */

/* STORE_DENIED: no such active member. */
struct new_session {
    int64_t member_id;
    struct text device;
    int64_t proved_at_ms;
    bool may_set_password;
};
enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened,
                                char cookie[SESSION_COOKIE_SIZE]);

/* The member has proved their identity again, or set a password, in the session of this number;
 * STORE_DENIED: it has ended. */
enum store_result sessions_prove(struct transaction *transaction, int64_t member_id, int64_t number,
                                 bool has_set_password);

/* Ends a session as store_end_session does. */
enum store_result sessions_end_one(struct transaction *transaction, int64_t member_id,
                                   int64_t number);

/* Ends all sessions of the member but `kept` (0: none is kept), and revokes the open links for
 * other devices and, depending on `first`, invitations. */
enum store_result sessions_end(struct transaction *transaction, int64_t member_id, int64_t kept,
                               enum sign_in_link first);

/* The same, and revokes the keys of all apps but the one in the browser of `kept`. */
enum store_result sessions_end_devices(struct transaction *transaction, int64_t member_id,
                                       int64_t kept, enum sign_in_link first);

#endif
