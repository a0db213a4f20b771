/* Stores API keys, upload tokens and tokens for PoLo. Texts that a visitor receives are valid
 * during its call. */
#ifndef QSOSYNC_STORE_KEYS_H
#define QSOSYNC_STORE_KEYS_H

#include "store/credentials.h"

#define KEY_NAME_MAX 80   /* maximum length in code points */
#define KEY_ACTIVE_MAX 10 /* maximum number per member; for a station, per operator */

struct key {
    int64_t number;     /* number that is unique in the logbook */
    struct text member; /* callsign */
    struct text name;
    /* for a station, callsign of the key's creator; no text: the command created the key */
    struct text maker;
    enum scope scope; /* SCOPE_NONE: a token */
    bool may_read;    /* for an upload token: whether it may also read the log */
    bool is_polo;     /* whether the token is for PoLo, and is not an upload token */
    bool is_app;      /* whether the key belongs to the service's own app */
    /* when a key for the app is added, session of the app's browser; 0: for another device */
    int64_t session;
    struct text browser; /* name of the app's browser, if the browser is signed in */
    struct text hint;    /* first characters of the key */
    int64_t created_at_ms;
    int64_t last_used_day; /* last day of use, in days since 1970-01-01; -1: never */
    struct text program;   /* program that used the key or token; no text: unknown */
    int64_t revoked_at_ms; /* time of the revocation, or of the grant's expiry; 0: active */
};

/* Stores the fingerprint of a key that the caller has created and shows only once. `key` contains
 * the name and the scope. A key without a scope is an upload token, to which may_read applies, or a
 * token for PoLo. If the store writes for an operator of a station, the key belongs to that
 * operator, and is revoked together with the operator's grant. Sets *number to the new key's
 * number. Returns STORE_REFUSED if the member has KEY_ACTIVE_MAX active keys, and STORE_CONFLICT if
 * an active key has the name. Runs its own transaction. */
enum store_result store_add_key(struct store *store, int64_t member_id, const struct key *key,
                                const char *secret, int64_t *number);

typedef void key_visitor(void *context, const struct key *key);

/* Calls visit for each of the member's API keys (CREDENTIAL_KEY) or upload tokens
 * (CREDENTIAL_TOKEN), oldest first. */
enum store_result store_list_keys(struct store *store, enum credential kind, int64_t member_id,
                                  key_visitor *visit, void *context);

/* Calls visit for every API key of every member. */
enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context);

/* Revokes a key or token. If the app uses the key, signs out the app's device (devices.h). Returns
 * STORE_NONE if the member has no active key or token with this number. Returns STORE_REFUSED if
 * the key is for a station, and the writer is an operator who did not create the key. Runs its own
 * transaction. */
enum store_result store_revoke_key(struct store *store, enum credential kind, int64_t member_id,
                                   int64_t number);

/* Finds the last day on which any key of the member was used, in days since 1970-01-01, or -1 if no
 * key was ever used. */
enum store_result store_find_last_use(struct store *store, int64_t member_id, int64_t *day);

/* Records the day on which a key, a token or a session was used, and for a key or token, the
 * program; for a session, program is NULL. If another writer is active, does nothing, because a
 * later request will record the day. Do not call this function inside a transaction. */
void store_record_use(struct store *store, enum credential kind, int64_t number, int64_t day,
                      const struct text *program);

#endif
