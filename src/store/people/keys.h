/* API keys and upload tokens, which are stored alike. Texts that a visitor receives are valid
 * during its call. */
#ifndef QSOSYNC_STORE_KEYS_H
#define QSOSYNC_STORE_KEYS_H

#include "store/credentials.h"

#define KEY_NAME_MAX 80   /* code points */
#define KEY_ACTIVE_MAX 10 /* per member; for a station: per operator */

struct key {
    int64_t number;     /* unique in the logbook */
    struct text member; /* callsign */
    struct text name;
    struct text maker; /* for a station: callsign of the creator; no text: the command */
    enum scope scope;  /* SCOPE_NONE for an upload token */
    bool may_read;     /* an upload token: may read the log, too */
    bool is_polo;      /* a token for PoLo instead of an upload token */
    bool is_app;       /* a key of the service's own app */
    int64_t session;   /* to add a key of the app: session of its browser; 0: for another device */
    struct text browser; /* browser of the app, if it is signed in */
    struct text hint;    /* the key's first characters */
    int64_t created_at_ms;
    int64_t last_used_day; /* days since 1970-01-01; -1: never */
    int64_t revoked_at_ms; /* 0: active */
};

/* Stores the fingerprint of a key that the caller has created and shows once. `key` has the name
 * and the scope. A key without a scope is an upload token, for which may_read counts, or a token
 * for PoLo. If the store writes for an operator of a station, the key belongs to that operator, and
 * is revoked with their grant. *number is the number of the new key. STORE_REFUSED: the member has
 * KEY_ACTIVE_MAX active keys. STORE_CONFLICT: an active key has the name. Runs its own transaction.
 */
enum store_result store_add_key(struct store *store, int64_t member_id, const struct key *key,
                                const char *secret, int64_t *number);

typedef void key_visitor(void *context, const struct key *key);

/* Calls visit for every API key (CREDENTIAL_KEY) or upload token (CREDENTIAL_TOKEN) of the member,
 * oldest first. */
enum store_result store_list_keys(struct store *store, enum credential kind, int64_t member_id,
                                  key_visitor *visit, void *context);

/* Calls visit for every API key of every member. */
enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context);

/* Revokes a key or token. If it is a key of the app, the device of the app is signed out
 * (devices.h). STORE_NONE: the member has no active key or token with this number. STORE_REFUSED:
 * the key is for a station, and the writer is an operator who did not create it. Runs its own
 * transaction. */
enum store_result store_revoke_key(struct store *store, enum credential kind, int64_t member_id,
                                   int64_t number);

/* Records the day on which a key, a token or a session was used. If another writer is active, does
 * nothing, because a later request will record it. Do not call it inside a transaction. */
void store_record_use(struct store *store, enum credential kind, int64_t number, int64_t day);

#endif
