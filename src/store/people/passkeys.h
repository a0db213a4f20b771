/* Stores members' passkeys, and checks the challenges that they answer. A challenge can be answered
 * once, within five minutes. To sign a member in with a passkey:
 *
 *     store_make_challenge(store, now_ms, NULL, challenge)
 *     store_find_passkey(store, credential, &use.owner)
 *     ... passkey_verify() of the signature (base/passkey.h)
 *     store_open_session_by_passkey(store, &use, device, cookie)
 *
 * The last step checks everything except the signature again, in its own transaction. The caller
 * later erases the cookie from memory. */
#ifndef QSOSYNC_STORE_PASSKEYS_H
#define QSOSYNC_STORE_PASSKEYS_H

#include "base/passkey.h"
#include "base/uuid.h"
#include "store/people/sessions.h"

#define PASSKEY_MAX 10         /* maximum number per member */
#define CHALLENGE_MS 300000    /* time for which a challenge is valid */
#define CHALLENGE_TIME_BYTES 8 /* length of the time at the beginning of a challenge */
#define CHALLENGE_BYTES (CHALLENGE_TIME_BYTES + API_KEY_FINGERPRINT_BYTES)
/* length of the number that identifies a member to an authenticator */
#define PASSKEY_USER_BYTES (UUID_BYTES + 8)

/* Creates a challenge for the session with this fingerprint, or for signing in (NULL). Stores
 * nothing. */
enum store_result store_make_challenge(struct store *store, int64_t now_ms,
                                       const unsigned char *session,
                                       unsigned char out[CHALLENGE_BYTES]);

/* Reads the number that identifies the member to an authenticator. The number never changes, and
 * differs between logbooks. */
enum store_result store_read_passkey_user(struct store *store, int64_t member_id,
                                          unsigned char out[PASSKEY_USER_BYTES]);

/* An answered challenge, and the session to which it must belong. */
struct answered {
    struct text challenge;
    /* fingerprint of the session; NULL: the challenge is for signing in */
    const unsigned char *session;
};

/* Adds the passkey from passkey_read. Returns STORE_REFUSED if the member already has PASSKEY_MAX
 * passkeys. Returns STORE_NONE if the challenge is not valid, or if the passkey already exists.
 * Runs its own transaction. */
enum store_result store_add_passkey(struct store *store, int64_t member_id, struct text name,
                                    const struct answered *answered,
                                    const struct passkey_data *data);

struct passkey {
    int64_t number;
    struct text name;
    struct text credential;
    int64_t created_at_ms;
    int64_t last_used_day; /* -1: never */
    int64_t copied_at_ms;  /* time at which the passkey was refused as a copy; 0: never */
};
typedef void passkey_visitor(void *context, const struct passkey *passkey);

/* Calls visit for each of the member's passkeys, oldest first. The texts are valid during the call
 * to visit. */
enum store_result store_list_passkeys(struct store *store, int64_t member_id,
                                      passkey_visitor *visit, void *context);

/* Removes a passkey, with the effect of a new password: signs out all devices except the device of
 * the session `kept`, and revokes the links for other devices. Returns STORE_NONE if the member has
 * no passkey with this number. Runs its own transaction. */
enum store_result store_remove_passkey(struct store *store, int64_t member_id, int64_t number,
                                       int64_t kept);

/* Renames a passkey. Returns STORE_NONE if the member has no passkey with this number. Runs its own
 * transaction. */
enum store_result store_rename_passkey(struct store *store, int64_t member_id, int64_t number,
                                       struct text name);

/* A passkey of an active member. store_find_passkey finds it by the id from its authenticator, and
 * returns STORE_NONE if no passkey has this id. */
struct passkey_owner {
    int64_t number;
    int64_t member_id;
    unsigned char point[ES256_POINT_BYTES];
};
enum store_result store_find_passkey(struct store *store, struct text credential,
                                     struct passkey_owner *out);

/* The use of a passkey whose signature the caller has verified. */
struct passkey_use {
    struct passkey_owner owner;
    struct answered answered;
    uint32_t sign_count;
};

/* Opens a session with a passkey. Returns STORE_NONE if the passkey was removed, its member is
 * disabled, or the challenge is not valid. Returns STORE_REFUSED if the passkey has a counter that
 * has not risen, which means that the passkey was copied; the time is recorded. Runs its own
 * transaction. */
enum store_result store_open_session_by_passkey(struct store *store, const struct passkey_use *use,
                                                struct text device,
                                                char cookie[SESSION_COOKIE_SIZE]);

/* Records that the member of this session has verified a passkey in the session, as
 * store_prove_session does for a password. Returns STORE_DENIED if the session has ended. Otherwise
 * returns a result as store_open_session_by_passkey does. Runs its own transaction. */
enum store_result store_prove_by_passkey(struct store *store, const struct passkey_use *use,
                                         int64_t number);

#endif
