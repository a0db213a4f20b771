/* Claims: QSOs of other clubs' members with ours, as peers tell of them. A claim confirms a QSO
 * that matches it as another member's QSO would (src/qso/match.h). Each confirms one QSO at most,
 * each QSO is confirmed by one at most, beside the member's QSO that may confirm it, too. */
#ifndef QSOSYNC_STORE_CLAIMS_H
#define QSOSYNC_STORE_CLAIMS_H

#include "qso/match.h"
#include "store/credentials.h"
#include "store/deletions.h"
#include "store/transaction.h"

/* What a write to a QSO changes: the claims that confirmed it and will; 0: none. */
struct claim_change {
    int64_t ended;
    int64_t made;
};

/* Before a member's QSO (0: a new one) is written, to what *side says. Only reads, and in a logbook
 * without claims once in a transaction. */
enum store_result claims_plan(struct transaction *transaction, int64_t member_id, int64_t id,
                              const struct match_side *side, struct claim_change *change);

/* After that: the claims that change are set. Then, after whatever changes of the QSO's other
 * confirmation: its time is set, and another QSO is looked for that the ended claim confirms. */
enum store_result claims_set(struct transaction *transaction, int64_t id,
                             const struct claim_change *change);
enum store_result claims_settle(struct transaction *transaction, int64_t id,
                                const struct claim_change *change);

/* Before a QSO is deleted: *claim is the one that confirmed it, or 0. After that: another QSO is
 * looked for that it confirms (0: nothing is done). */
enum store_result claims_release(struct transaction *transaction, int64_t id, int64_t *claim);
enum store_result claims_offer(struct transaction *transaction, int64_t claim);

/* Before a claim is changed or removed: it confirms nothing any more; the QSO gets another one. */
enum store_result claims_withdraw(struct transaction *transaction, int64_t claim);

/* After a claim was changed: what it confirmed is kept if it still holds; otherwise another QSO is
 * looked for. */
enum store_result claims_review(struct transaction *transaction, int64_t claim);

/* -- What peers are told: which QSOs our members claim to have had with theirs ----------------- */

#define CLAIMING_MEMBERS_MAX 1000
#define CLAIMING_ITEMS_MAX 500

/* A member of the peer, and since when it asks for changes. */
struct claiming_member {
    struct match_callsign callsign;
    int64_t since_ms; /* our stamp; 0: everything */
};

/* Where an answer goes on; all zero: at its beginning. */
struct claiming_cursor {
    int64_t server_time_ms; /* of the first page, which all have */
    int64_t member_id;      /* of ours, whose log is being read */
    bool deletions;         /* its QSOs have been read */
    struct position position;
};

struct claiming_wish {
    const unsigned char *fingerprint;      /* of the peer's key */
    int64_t now_ms;                        /* when the request came */
    const struct claiming_member *members; /* sorted by callsign */
    size_t member_count;
    size_t limit;
    struct claiming_cursor cursor;
};

struct claiming_item {
    int64_t id;
    bool is_withdrawn;
    int64_t at_ms;       /* stamp of what withdrew it */
    struct text station; /* the texts are in the arena */
    struct text worked;
    int64_t band, channel; /* 0: none */
    int64_t mode_family;   /* MATCH_NO_MODE: not given */
    int64_t qso_at_ms;
};

struct claiming_answer {
    struct claiming_item *items;
    size_t count;
    bool has_more;
    struct claiming_cursor next;
    bool complete; /* every deletion since then is known */
    int64_t log_epoch, claims_epoch;
};

/* By their callsigns, as the wish needs them. */
void claiming_sort_members(struct claiming_member *members, size_t count);

/* STORE_NONE: no peer has this key. What the peer is told is noted in a transaction of its own
 * before the function returns. */
enum store_result store_tell_claims(struct store *store, struct arena *arena,
                                    const struct claiming_wish *wish,
                                    struct claiming_answer *answer);

/* Whether the member takes part in confirmations by peers. Who does not is claimed nowhere, and
 * loses those that there are. Both run their own transaction. */
enum store_result store_read_claiming(struct store *store, int64_t member_id, bool *on);
enum store_result store_set_claiming(struct store *store, int64_t member_id, bool on);

/* A QSO that a claim confirms. */
struct peer_confirmation {
    int64_t qso_id;
    struct text station; /* as its club writes it */
    struct text club;    /* its name, or its address without a scheme */
};

/* Who confirms a QSO; the texts are in the arena. STORE_NONE: no peer does. */
enum store_result store_find_peer_of_qso(struct store *store, struct arena *arena, int64_t qso_id,
                                         struct peer_confirmation *out);

/* All of a member; the texts are valid during the call. */
enum store_result
store_list_peer_confirmations(struct store *store, int64_t member_id,
                              void (*visit)(void *context, const struct peer_confirmation *found),
                              void *context);

#endif
