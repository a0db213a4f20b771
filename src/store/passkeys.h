/* Passkeys of members, and the challenges that they answer: each once, within five minutes. That a
 * passkey has signed is verified before, by base/passkey.h. */
#ifndef QSOSYNC_STORE_PASSKEYS_H
#define QSOSYNC_STORE_PASSKEYS_H

#include "base/passkey.h"
#include "base/uuid.h"
#include "store/sessions.h"

#define PASSKEY_MAX 10         /* a member */
#define CHALLENGE_MS 300000    /* how long one may be answered */
#define CHALLENGE_TIME_BYTES 8 /* what it begins with */
#define CHALLENGE_BYTES (CHALLENGE_TIME_BYTES + API_KEY_FINGERPRINT_BYTES)
#define PASSKEY_USER_BYTES (UUID_BYTES + 8) /* by what an authenticator tells members apart */

/* Makes a challenge, for the session of this fingerprint or (NULL) for signing in. Nothing is
 * stored of it. */
enum store_result store_make_challenge(struct store *store, int64_t now_ms,
                                       const unsigned char *session,
                                       unsigned char out[CHALLENGE_BYTES]);

/* The same number for a member always, and another one in each logbook. */
enum store_result store_read_passkey_user(struct store *store, int64_t member_id,
                                          unsigned char out[PASSKEY_USER_BYTES]);

/* A challenge that came back, and for which session it has to be. */
struct answered {
    struct text challenge;
    const unsigned char *session; /* NULL: for signing in */
};

/* Adds what passkey_read has read. STORE_REFUSED: the member has PASSKEY_MAX. STORE_NONE: the
 * challenge does not hold, or the passkey is known already. Runs its own transaction. */
enum store_result store_add_passkey(struct store *store, int64_t member_id, struct text name,
                                    const struct answered *answered,
                                    const struct passkey_data *data);

struct passkey {
    int64_t number;
    struct text name;
    struct text credential;
    int64_t created_at_ms;
    int64_t last_used_day; /* -1: never */
    int64_t copied_at_ms;  /* when it was refused as a copy; 0: never */
};
typedef void passkey_visitor(void *context, const struct passkey *passkey);

/* Oldest first; the texts are valid during the call. */
enum store_result store_list_passkeys(struct store *store, int64_t member_id,
                                      passkey_visitor *visit, void *context);

/* Removes one as a new password replaces the former: ends all sessions but `kept`, and the links
 * for other devices. STORE_NONE: the member has none of this number. Runs its own transaction. */
enum store_result store_remove_passkey(struct store *store, int64_t member_id, int64_t number,
                                       int64_t kept);

/* One of an active member, by the id that its authenticator gave it; STORE_NONE: there is none. */
struct passkey_owner {
    int64_t number;
    int64_t member_id;
    unsigned char point[PASSKEY_POINT_BYTES];
};
enum store_result store_find_passkey(struct store *store, struct text credential,
                                     struct passkey_owner *out);

/* One that has signed, after the caller has verified it. */
struct passkey_use {
    struct passkey_owner owner;
    struct answered answered;
    uint32_t sign_count;
};

/* Open a session, and prove one of the passkey's own member, as a password does. STORE_NONE: the
 * passkey was removed, its member is disabled, or the challenge does not hold. STORE_REFUSED: the
 * counter has not risen, so that there is a copy, which is noted. STORE_DENIED: the session has
 * ended. Each runs its own transaction. */
enum store_result
store_open_session_by_passkey(struct store *store, const struct passkey_use *use,
                              struct text device,
                              const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]);
enum store_result store_prove_by_passkey(struct store *store, const struct passkey_use *use,
                                         int64_t number);

#endif
