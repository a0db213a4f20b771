/* Credentials, and whom they identify: an API key, an upload token, or the
 * cookie of a browser that is signed in. Only fingerprints are stored. */
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

/* READ or WRITE. */
const char *store_scope_name(enum scope scope);

/* The presented credential, looked up again before anything is written. */
enum credential {
    CREDENTIAL_NONE,
    CREDENTIAL_KEY,
    CREDENTIAL_TOKEN,
    CREDENTIAL_SESSION,
    CREDENTIAL_PEER, /* of no member; nothing is written as it */
};

#define SESSION_DAYS 400 /* since the last day of use */

/* Who asks, and in whose log. */
struct identity {
    enum credential credential; /* none: the operator */
    int64_t member_id;
    int64_t key_number;
    enum scope scope;
    bool may_read;         /* of a token: the log, too */
    bool is_disabled;      /* what is written gets no new confirmations */
    struct text callsign;  /* in the arena */
    struct text locator;   /* in the arena */
    int64_t log_revision;  /* stamp of the last write to the member's log */
    int64_t log_epoch;     /* changes when an older logbook was restored */
    int64_t last_stamp_ms; /* of the logbook: no later write has a smaller one */
    int64_t restored_ms;   /* stamp of the logbook's last restore; 0: none */
    /* Of a station's log: who operates it; no text: the operator's command, or a key that it made.
     */
    bool is_station;
    int64_t operator_id;
    struct text operator_callsign; /* in the arena */
    struct text
        maker;       /* of the QSOs that are created, if that is another one; no text: it is not */
    struct text log; /* of a session: as the station's callsign was asked for; no text: own log */
    int64_t last_used_day;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]; /* of a key, token or session */
    /* Of a session, whose number is key_number. */
    bool is_operator;      /* its member may use the operator's page */
    bool may_set_password; /* without giving the former one */
    int64_t proved_at_ms;  /* when the password was given, or an invitation used; 0: never */
};

/* The identity behind this fingerprint at now_ms: the active key of an active member, made by
 * nobody whose grant has ended; such a token, while uploads are on, whose number is the identity's
 * key number; or the session of an active member that has not ended. STORE_NONE otherwise. */
enum store_result store_find_credential(struct store *store, enum credential credential,
                                        struct arena *arena,
                                        const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                        int64_t now_ms, struct identity *out);

/* The state of a key, whether it still works or not; the callsign is in the arena. STORE_NONE:
 * the logbook never had it. */
struct key_state {
    struct text callsign;
    int64_t revoked_at_ms; /* 0: not revoked */
    bool member_is_active;
};
enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out);

/* From now on the identity, of a session, is in the log of the station of this callsign, in any
 * spelling, and renewed there. STORE_NO_GRANT: its member may not operate such a station. The own
 * callsign changes nothing. */
enum store_result store_enter_log(struct store *store, struct arena *arena, struct text callsign,
                                  int64_t now_ms, struct identity *identity);

/* -- For other files of the store -------------------------------------------------------------- */

/* A scope by its name in the database. */
enum scope credentials_read_scope(struct text name);

/* Looks up once more what was shown, inside a transaction that writes at now_ms: STORE_NONE if
 * it holds no longer, STORE_NO_GRANT if a session may not be in a station's log any more. */
enum store_result credentials_renew(struct store *store, struct arena *arena, int64_t now_ms,
                                    struct identity *identity);

#endif
