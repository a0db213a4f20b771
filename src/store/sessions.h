/* Browsers that are signed in, and the links that let one in. Only fingerprints are stored; how a
 * session is looked up is in credentials.h. */
#ifndef QSOSYNC_STORE_SESSIONS_H
#define QSOSYNC_STORE_SESSIONS_H

#include "store/credentials.h"

#define SESSION_MAX 100         /* a member; a further one ends the one that was used longest ago */
#define SESSION_DEVICE_MAX 80   /* code points */
#define SESSION_PROOF_MS 900000 /* how long a password or passkey counts for what asks for it */
#define INVITATION_DAYS 7
#define INVITATION_DAYS_MAX 90
#define DEVICE_LINK_MS 600000

/* -- Sessions ---------------------------------------------------------------------------------- */

/* Who signs in by this callsign, in any spelling that confirmation takes for the same one, or by
 * this login name; STORE_NONE: nobody. A callsign comes before a login name. Of two members whose
 * callsigns confirmation cannot tell apart (in a logbook from before such pairs were refused), each
 * signs in by its own spelling, upper or lower case, or its login name alone. The texts are in the
 * arena. */
struct sign_in {
    int64_t member_id;
    struct text callsign;
    struct text password_hash; /* no text: there is no password */
    bool member_is_active;
};
enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out);

/* The same of a member who is known already. */
enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out);

/* Opens a session after the caller has verified the password against sign_in: STORE_DENIED if
 * the member is not active any more, or has another password by now. The fingerprint is that of a
 * new random cookie. Runs its own transaction. */
enum store_result store_open_session(struct store *store, const struct sign_in *sign_in,
                                     struct text device,
                                     const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]);

/* The password was verified once more in a session of this number. STORE_DENIED as above, and if
 * the session has ended. Runs its own transaction. */
enum store_result store_prove_session(struct store *store, const struct sign_in *sign_in,
                                      int64_t number);

/* Whether the password or a passkey was given, or an invitation used, in this session in the last
 * SESSION_PROOF_MS; not by a clock that has run back since. */
bool store_session_is_proved(const struct identity *session, int64_t now_ms);

struct session {
    int64_t number;
    struct text device;
    int64_t created_at_ms;
    int64_t last_used_day;
};
typedef void session_visitor(void *context, const struct session *session);

/* Those that have not ended by now_ms, latest use first; the texts are valid during the call. */
enum store_result store_list_sessions(struct store *store, int64_t member_id, int64_t now_ms,
                                      session_visitor *visit, void *context);

/* Ends one session, or all of the member but the one of number `kept` (0: none is kept); an open
 * link for another device is taken back with either. STORE_NONE: the member has no session of that
 * number. Each runs its own transaction. */
enum store_result store_end_session(struct store *store, int64_t member_id, int64_t number);
enum store_result store_end_sessions(struct store *store, int64_t member_id, int64_t kept);

/* Gives the member another password, and ends all sessions but `kept` (0: none is kept), and all
 * links. hash is what password_hash made of it. Runs its own transaction. */
enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept);

/* -- Links ------------------------------------------------------------------------------------- */

enum sign_in_link { LINK_INVITATION, LINK_DEVICE };

/* Makes a link of this kind, in place of one that has not been used. The caller has made its secret
 * and shows it once. STORE_REFUSED: the member is disabled or deleted. Runs its own transaction. */
enum store_result store_add_link(struct store *store, int64_t member_id, enum sign_in_link kind,
                                 const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                 int64_t valid_ms);

/* The same for an invitation after which nothing older lets anybody in: ends all sessions and
 * links, and takes the password and the passkeys away. Keys and tokens stay. */
enum store_result store_invite_new(struct store *store, int64_t member_id,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   int64_t valid_ms);

enum link_outcome {
    LINK_WORKED,
    LINK_UNKNOWN, /* or of a member who is disabled or deleted */
    LINK_USED,
    LINK_EXPIRED,
    LINK_REPLACED,
};

/* Uses a link up and opens a session; of two who use it at once, one gets in. All links that do not
 * work take the same time. *kind is filled but for LINK_UNKNOWN. Runs its own transaction, whose
 * result is STORE_DONE for every outcome. */
enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device,
                                 const unsigned char session[API_KEY_FINGERPRINT_BYTES],
                                 enum link_outcome *outcome, enum sign_in_link *kind);

struct link {
    enum sign_in_link kind;
    int64_t made_at_ms;
    int64_t expires_at_ms;
    int64_t used_at_ms;     /* 0: it was not */
    int64_t replaced_at_ms; /* by another one, or taken back; 0: it was not */
};
typedef void link_visitor(void *context, const struct link *link);

/* What is kept of the member's links, oldest first. */
enum store_result store_list_links(struct store *store, int64_t member_id, link_visitor *visit,
                                   void *context);

/* -- For other files of the store -------------------------------------------------------------- */

struct transaction;

/* STORE_DENIED: there is no such active member. */
struct new_session {
    int64_t member_id;
    struct text device;
    const unsigned char *fingerprint;
    int64_t proved_at_ms;
    bool may_set_password;
};
enum store_result sessions_open(struct transaction *transaction, const struct new_session *opened);

/* The member has shown once more who asks, in the session of this number; STORE_DENIED: it has
 * ended. */
enum store_result sessions_prove(struct transaction *transaction, int64_t member_id,
                                 int64_t number);

/* Ends all sessions of the member but `kept` (0: none is kept), and the links for other devices. */
enum store_result sessions_end_others(struct transaction *transaction, int64_t member_id,
                                      int64_t kept);

/* Ends all sessions and open links of the member, who is disabled or gets a new invitation in their
 * place. */
enum store_result sessions_end_all(struct transaction *transaction, int64_t member_id);

#endif
