/* Finds the identities behind credentials. A credential is an API key, an upload token, or the
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

/* The kind of a credential that a caller presents. */
enum credential {
    CREDENTIAL_NONE,
    CREDENTIAL_KEY,
    CREDENTIAL_TOKEN,
    CREDENTIAL_SESSION,
    CREDENTIAL_PEER, /* belongs to no member, and may not write */
};

#define SESSION_DAYS 400 /* lifetime of a session after its last day of use */

/* The caller, and the log in which the caller works. */
struct identity {
    enum credential credential; /* CREDENTIAL_NONE: the operator's command */
    int64_t member_id;
    int64_t key_number;
    enum scope scope;
    bool may_read; /* for a token: whether it may also read the log */
    /* whether the member is disabled; such a member's writes confirm nothing */
    bool is_disabled;
    struct text callsign; /* text in the arena */
    struct text locator;  /* text in the arena */
    /* for a key, code of the member's plan of channels, in the arena; no text: none is set */
    struct text channel_plan;
    int64_t log_revision;  /* stamp of the last write to the member's log */
    int64_t log_epoch;     /* number that changes when a backup is restored */
    int64_t last_stamp_ms; /* last stamp in the logbook; later writes have greater stamps */
    /* In a station's log, the identity of the operator. No callsign: the command, or a key that the
     * command created. */
    bool is_station;
    int64_t operator_id;
    struct text operator_callsign; /* text in the arena */
    struct text maker;             /* callsign of the creator of new QSOs; no text: the member */
    /* for a session: the station's callsign as requested; no text: the member's own log */
    struct text log;
    int64_t last_used_day;
    struct text last_program; /* for a key or token, text in the arena; no text: unknown */
    /* fingerprint of a key, token or session */
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    /* The next fields are for a session, whose number is key_number. */
    bool is_operator;      /* whether the member may use the operator's page */
    bool may_set_password; /* whether a new password may be set without the current password */
    /* time at which the member last proved their identity in this session; 0: never */
    int64_t proved_at_ms;
};

/* Finds the identity behind this fingerprint at now_ms. A key must be active, belong to an active
 * member, and not come from an operator who is disabled or whose grant has ended. A token must
 * fulfil the same conditions, and uploads must be on. The token's number is the identity's key
 * number. A session must not have ended, and its member must be active. Returns STORE_NONE if the
 * credential is not valid. */
enum store_result store_find_credential(struct store *store, enum credential credential,
                                        struct arena *arena,
                                        const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                        int64_t now_ms, struct identity *out);

/* The state of a key, which may have been revoked. */
struct key_state {
    struct text callsign;
    int64_t revoked_at_ms; /* time of the revocation, or of the grant's expiry; 0: neither */
    bool member_is_active;
};

/* Finds the state of the key with this fingerprint. Returns STORE_NONE if the logbook does not
 * contain the key. */
enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out);

/* Moves the identity of a session to the log of the station with this callsign, in any spelling. If
 * the callsign is the member's own, nothing changes. Returns STORE_NO_GRANT if no active station
 * has this callsign, or if the member may not operate the station. */
enum store_result store_enter_log(struct store *store, struct arena *arena, struct text callsign,
                                  int64_t now_ms, struct identity *identity);

/* Returns the scope with this name in the database. */
enum scope credentials_read_scope(struct text name);

/* Looks up the credential again, inside a transaction that writes at now_ms. Returns STORE_NONE if
 * the credential is no longer valid. Returns STORE_NO_GRANT if the session may no longer use the
 * station's log. */
enum store_result credentials_renew(struct store *store, struct arena *arena, int64_t now_ms,
                                    struct identity *identity);

#endif
