/* API keys and upload tokens, which are stored alike: creating, listing and revoking them, and the
 * last refusals of keys. */
#ifndef QSOSYNC_STORE_KEYS_H
#define QSOSYNC_STORE_KEYS_H

#include "store/credentials.h"

#define KEY_NAME_MAX 80   /* code points */
#define KEY_ACTIVE_MAX 10 /* a member; of a station: each operator */

struct key {
    int64_t number;     /* unique in the logbook */
    struct text member; /* callsign */
    struct text name;
    struct text maker;   /* of a station: callsign of its creator; no text: the command */
    enum scope scope;    /* SCOPE_NONE for an upload token */
    bool may_read;       /* an upload token: may read the log, too */
    bool is_polo;        /* PoLo's, and no upload token */
    bool is_app;         /* of the service's own app */
    int64_t session;     /* to add a key of the app: its browser's session; 0: for another device */
    struct text browser; /* the app's, if it is signed in */
    struct text hint;    /* the key's first characters */
    int64_t created_at_ms;
    int64_t last_used_day; /* days since 1970-01-01; -1: never */
    int64_t revoked_at_ms; /* 0: active */
};

/* Stores the fingerprint of a key that the caller has created and shows once. Uses the name and the
 * scope of `key`. A key without a scope is an upload token, which uses may_read, or a token for
 * PoLo, which has a field of its own. STORE_REFUSED: the member has ten active ones.
 * STORE_CONFLICT: an active one has the name. If the store writes for an operator of a station, the
 * key belongs to that operator, and ends with their grant. Runs its own transaction; *number is the
 * new key's. */
enum store_result store_add_key(struct store *store, int64_t member_id, const struct key *key,
                                const char *secret, int64_t *number);

typedef void key_visitor(void *context, const struct key *key);

/* Calls visit for every API key (CREDENTIAL_KEY) or upload token (CREDENTIAL_TOKEN) of the member,
 * oldest first; the texts are valid during the call. */
enum store_result store_list_keys(struct store *store, enum credential kind, int64_t member_id,
                                  key_visitor *visit, void *context);

/* The same for the API keys of all members. */
enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context);

/* STORE_NONE: the member has no active key or token with this number. STORE_REFUSED: it is for a
 * station, and the writer is an operator of the station who did not create it. A member's
 * key of the app ends the device that has it (devices.h). Runs its own transaction. */
enum store_result store_revoke_key(struct store *store, enum credential kind, int64_t member_id,
                                   int64_t number);

/* Records the day of use of a key, a token or a session, if no waiting is needed; otherwise a later
 * request will. Do not call it inside a transaction. */
void store_record_use(struct store *store, enum credential kind, int64_t number, int64_t day);

/* -- Refusals ---------------------------------------------------------------------------------- */

/* The last refusal of a key. */
struct refusal {
    int64_t refused_at_ms;
    struct text code;  /* an error's code, or that or the sentence of a rejected entry */
    struct text field; /* no text: none */
    int64_t entries;   /* rejected entries of the batch; 1 for a whole request */
};

/* Records the refusal, if no waiting is needed. Do not call it inside a transaction. */
void store_record_key_refusal(struct store *store, int64_t key_number,
                              const struct refusal *refusal);

/* STORE_NONE: nothing was refused to the key. The texts live in the arena. */
enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out);

/* Calls visit for the last refusals of keys, latest first, at most `limit` times; the texts are
 * valid during the call. */
enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context);

#endif
