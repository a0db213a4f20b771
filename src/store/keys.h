/* API keys and upload tokens, made, listed and revoked. The two are kept alike. */
#ifndef QSOSYNC_STORE_KEYS_H
#define QSOSYNC_STORE_KEYS_H

#include "store/credentials.h"

#define KEY_NAME_MAX 80   /* code points */
#define KEY_ACTIVE_MAX 10 /* a member; of a station: each operator */

struct key {
    int64_t number;     /* unique in the logbook */
    struct text member; /* callsign */
    struct text name;
    struct text maker; /* of a station: who made it, by callsign; no text: the command */
    enum scope scope;  /* of an upload token: none */
    bool may_read;     /* of an upload token: it may read the log, too */
    bool is_polo;      /* PoLo's, and no upload token */
    struct text hint;  /* the key's first characters */
    int64_t created_at_ms;
    int64_t last_used_day; /* days since 1970-01-01; -1: never */
    int64_t revoked_at_ms; /* 0: active */
};

/* Stores the fingerprint of a key that the caller has made and shows once. STORE_REFUSED: the
 * member has ten active keys. Where the store writes for an operator of a station, the key is made
 * by him, and ends with his grant. Runs its own transaction; *number is the new key's. */
enum store_result store_add_key(struct store *store, int64_t member_id, struct text name,
                                enum scope scope, const char *key, int64_t *number);

typedef void key_visitor(void *context, const struct key *key);

/* Calls visit for every key of the member, oldest first; the texts are valid during the call. */
enum store_result store_list_keys(struct store *store, int64_t member_id, key_visitor *visit,
                                  void *context);

/* The same for the keys of all members. */
enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context);

/* STORE_NONE: the member has no active key with this number. Runs its own transaction. */
enum store_result store_revoke_key(struct store *store, int64_t member_id, int64_t number);

/* Notes the day of use, if that can be done without waiting; otherwise a later request will. Not to
 * be called inside a transaction. */
void store_note_key_use(struct store *store, int64_t key_number, int64_t day);

/* Upload tokens, and with them those of PoLo, are kept in the way of keys and with their bounds,
 * without a scope. Which of them it is, the token says. */
enum store_result store_add_token(struct store *store, int64_t member_id, struct text name,
                                  bool may_read, const char *token, int64_t *number);
enum store_result store_list_tokens(struct store *store, int64_t member_id, key_visitor *visit,
                                    void *context);
enum store_result store_revoke_token(struct store *store, int64_t member_id, int64_t number);

void store_note_token_use(struct store *store, int64_t token_number, int64_t day);

#endif
