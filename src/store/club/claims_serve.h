/* Answers to peers: the QSOs that our members claim with theirs. Texts that a function fills in are
 * in the caller's arena. */
#ifndef QSOSYNC_STORE_CLAIMS_SERVE_H
#define QSOSYNC_STORE_CLAIMS_SERVE_H

#include "base/api_key.h"
#include "qso/match_callsign.h"
#include "store/log/qsos.h"
#include "store/transaction.h"

#define CLAIMING_MEMBERS_MAX 1000
#define CLAIMING_ITEMS_MAX 500

/* A member of the peer, and since when it asks for changes. */
struct claiming_member {
    struct match_callsign callsign;
    int64_t since_ms; /* our stamp; 0: everything */
};

/* Where an answer continues; all zero: at its beginning. */
struct claiming_cursor {
    int64_t server_time_ms; /* time of the first page, shared by all pages */
    int64_t member_id;      /* our member whose log is being read */
    bool deletions;         /* its QSOs have been read */
    struct position position;
};

struct claim_query {
    const unsigned char *fingerprint;      /* fingerprint of the peer's key */
    int64_t now_ms;                        /* when the request came */
    const struct claiming_member *members; /* sorted by callsign */
    size_t member_count;
    size_t limit;
    struct claiming_cursor cursor;
};

struct claiming_item {
    int64_t member_id, id; /* owner and id of the QSO */
    bool is_withdrawn;
    int64_t at_ms;       /* stamp of the change that withdrew it */
    struct text station; /* the texts are in the arena */
    struct text worked;
    int64_t band, channel; /* 0: none */
    int64_t mode_family;   /* MATCH_NO_MODE: not given */
    int64_t qso_at_ms;
    bool is_news; /* the peer has not received this yet */
};

struct claiming_answer {
    struct claiming_item *items;
    size_t count;
    bool has_more;
    struct claiming_cursor next;
    bool complete; /* every deletion since then is known */
    int64_t log_epoch, claims_epoch;
};

/* Sorts by callsign, as the query requires. */
void claiming_sort_members(struct claiming_member *members, size_t count);

/* The peer that asks with the key of this fingerprint: the identity's key number. STORE_NONE: none
 * does. */
enum store_result store_identify_peer(struct store *store,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out);

/* STORE_NONE: this key belongs to no peer. The claims sent to the peer are recorded in a separate
 * transaction before the function returns. */
enum store_result store_list_claims_for_peer(struct store *store, struct arena *arena,
                                             const struct claim_query *query,
                                             struct claiming_answer *answer);

/* Whether the member takes part in confirmations by peers. A member who does not is claimed
 * nowhere, and loses existing ones. Runs its own transaction. */
enum store_result store_set_claiming(struct store *store, int64_t member_id, bool on);

/* A QSO that a claim confirms. */
struct peer_confirmation {
    int64_t qso_id;
    struct text station; /* as its club writes it */
    struct text club;    /* its name, or its address without a scheme */
};

/* Finds the peer that confirms a QSO; the texts are in the arena. STORE_NONE: no peer confirms it.
 */
enum store_result store_find_peer_of_qso(struct store *store, struct arena *arena, int64_t qso_id,
                                         struct peer_confirmation *out);

#endif
