/* Credentials, and the identities behind them. A credential is an API key, an upload token, or the
 * cookie of a signed-in browser. Only fingerprints are stored.
 *
 * Texts that a function fills in are in the caller's arena. */
#ifndef QSOSYNC_STORE_CREDENTIALS_H
#define QSOSYNC_STORE_CREDENTIALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api_key.h"
#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

enum scope { SCOPE_NONE, SCOPE_READ, SCOPE_WRITE };

/* Returns "READ" or "WRITE". */
const char *store_scope_name(enum scope scope);

/* The kind of a presented credential. */
enum credential {
    CREDENTIAL_NONE,
    CREDENTIAL_KEY,
    CREDENTIAL_TOKEN,
    CREDENTIAL_SESSION,
    CREDENTIAL_PEER, /* belongs to no member, and writes nothing */
};

#define SESSION_DAYS 400 /* since the last day of use */

/* The caller, and the log in which the caller works. */
struct identity {
    enum credential credential; /* none: the operator */
    int64_t member_id;
    int64_t key_number;
    enum scope scope;
    bool may_read;         /* a token: may read the log, too */
    bool is_disabled;      /* a disabled member: writes confirm nothing */
    struct text callsign;  /* in the arena */
    struct text locator;   /* in the arena */
    int64_t log_revision;  /* stamp of the last write to the member's log */
    int64_t log_epoch;     /* changes when an older logbook is restored */
    int64_t last_stamp_ms; /* last stamp in the logbook: later writes have greater stamps */
    /* In a station's log: its operator; no text: the command, or a key that the command created */
    bool is_station;
    int64_t operator_id;
    struct text operator_callsign; /* in the arena */
    struct text maker;             /* creator of new QSOs; no text: the member */
    struct text log; /* a session: the station's callsign as requested; no text: own log */
    int64_t last_used_day;
    /* fingerprint of a key, token or session */
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    /* For a session, whose number is key_number. */
    bool is_operator;      /* the member may use the operator's page */
    bool may_set_password; /* without entering the previous password */
    int64_t proved_at_ms;  /* when the password was given, or an invitation used; 0: never */
};

/* Finds the identity behind this fingerprint at now_ms. STORE_NONE: the credential is not valid. A
 * key must be active, belong to an active member, and not come from an operator whose grant has
 * ended. A token must fulfil the same conditions, and uploads must be on; its number is the
 * identity's key number. A session must not have ended, and its member must be active. */
enum store_result store_find_credential(struct store *store, enum credential credential,
                                        struct arena *arena,
                                        const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                        int64_t now_ms, struct identity *out);

/* The state of a key, which may have been revoked. */
struct key_state {
    struct text callsign;
    int64_t revoked_at_ms; /* 0: not revoked */
    bool member_is_active;
};

/* Finds the state of the key with this fingerprint. STORE_NONE: the logbook never had the key. */
enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out);

/* Moves the identity of a session to the log of the station with this callsign, in any spelling,
 * and renews the identity there. The member's own callsign changes nothing. STORE_NO_GRANT: the
 * member may not operate such a station. */
enum store_result store_enter_log(struct store *store, struct arena *arena, struct text callsign,
                                  int64_t now_ms, struct identity *identity);

/* Returns the scope with this name in the database. */
enum scope credentials_read_scope(struct text name);

/* Looks up the credential again, inside a transaction that writes at now_ms. STORE_NONE: the
 * credential is no longer valid. STORE_NO_GRANT: the session may no longer use the station's log.
 */
enum store_result credentials_renew(struct store *store, struct arena *arena, int64_t now_ms,
                                    struct identity *identity);

#endif
