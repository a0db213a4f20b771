/* Answers peers: lists the QSOs that our members claim with the peers' members.
 *
 *     store_identify_peer(store, fingerprint, &identity)
 *     claiming_sort_members(members, count)
 *     store_list_claims_for_peer(store, arena, &query, &answer)
 *
 * The caller owns the query. The texts and items of an answer are in the caller's arena. */
#ifndef QSOSYNC_STORE_CLAIMS_SERVE_H
#define QSOSYNC_STORE_CLAIMS_SERVE_H

#include "base/api_key.h"
#include "qso/match_callsign.h"
#include "store/log/qsos.h"
#include "store/transaction.h"

#define CLAIMING_MEMBERS_MAX 1000
#define CLAIMING_ITEMS_MAX 500

/* A member of the peer, and the time from which the peer requests changes about this member. */
struct claiming_member {
    struct match_callsign callsign;
    int64_t since_ms; /* one of our stamps; 0: all QSOs */
};

/* The place at which an answer continues; all zero: the beginning of the answer. */
struct claiming_cursor {
    int64_t server_time_ms; /* time of the answer's first page, shared by all of its pages */
    int64_t member_id;      /* id of our member whose log is being read */
    bool deletions;         /* whether the log's QSOs have been read, so that the log's deletions
                             * follow */
    struct position position;
};

struct claim_query {
    const unsigned char *fingerprint;      /* fingerprint of the peer's key */
    int64_t now_ms;                        /* time of the request */
    const struct claiming_member *members; /* sorted by callsign */
    size_t member_count;
    size_t limit;
    struct claiming_cursor cursor;
};

struct claiming_item {
    int64_t member_id, id; /* owner and id of the QSO */
    bool is_withdrawn;
    int64_t at_ms;       /* stamp of the last change to the QSO, or of its deletion */
    struct text station; /* callsign of our member */
    struct text worked;
    int64_t band, channel; /* channel 0: none */
    int64_t mode_family;   /* MATCH_NO_MODE: the QSO has no mode */
    int64_t qso_at_ms;
    bool is_unsent; /* whether the peer has not yet received a claim for this QSO with this worked
                     * callsign */
};

struct claiming_answer {
    struct claiming_item *items;
    size_t count;
    bool has_more;
    struct claiming_cursor next;
    bool complete; /* whether all claims are requested, or every deletion since the earliest
                    * requested time is known */
    int64_t log_epoch, claims_epoch;
};

/* Sorts members by callsign, as a query requires. */
void claiming_sort_members(struct claiming_member *members, size_t count);

/* Finds the peer that uses the key with this fingerprint. The peer's id is the identity's key
 * number. Returns STORE_NONE if no peer uses the key. */
enum store_result store_identify_peer(struct store *store,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out);

/* Lists the requested claims in a snapshot, and then records new claims as sent, in a separate
 * transaction. Returns STORE_NONE if the key does not belong to a peer. */
enum store_result store_list_claims_for_peer(struct store *store, struct arena *arena,
                                             const struct claim_query *query,
                                             struct claiming_answer *answer);

#endif
