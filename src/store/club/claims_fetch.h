/* Peers' answers. A visit asks a peer once for each of our members, in groups and pages:
 *
 *     store_begin_pull(store, arena, peer_id, true, &pull)
 *     while pull.count > 0:
 *         ... send the request and check the answer
 *         store_take_page(store, &pull, &page, &outcome)
 *         store_begin_pull(store, arena, peer_id, false, &pull)   after the last page of a pull
 *     store_record_visit()          unless the visit's last page was stored (peers.h)
 *
 * The content of a page is one transaction, including the place where the next page continues. So a
 * visit that was interrupted can be continued. Nothing is held between two pages: the peer may have
 * been removed, or another process may have continued the visit (PAGE_OVERTAKEN). Texts of a pull
 * are in the caller's arena. */
#ifndef QSOSYNC_STORE_CLAIMS_FETCH_H
#define QSOSYNC_STORE_CLAIMS_FETCH_H

#include "qso/match.h"
#include "store/club/claims_serve.h"
#include "store/club/peers.h"

/* The next request of a visit. The texts are in the arena. */
struct pull {
    int64_t peer_id;
    struct text callsigns[CLAIMING_MEMBERS_MAX]; /* in their order, as they are compared */
    size_t count;                                /* 0: the visit has nothing left to request */
    int64_t since_ms;   /* time since which all of them are asked for; 0: all claims */
    struct text cursor; /* no text: the beginning */
    struct text epoch;  /* no text: unknown */
    int64_t round, visit;
    bool is_last; /* the last pull of this visit */
};

/* Begins the next pull of a visit. If begins_visit is true, begins a new visit first, which
 * continues an interrupted pull and then asks for all other members. A visit of another process
 * then ends with its next page. STORE_NONE: no such peer is paired. Runs its own transaction. */
enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out);

/* A QSO that a member of the peer claims. Everything is checked except the owners of the callsigns.
 */
struct pulled_claim {
    struct text number;  /* the peer's id for it */
    struct text station; /* as the peer writes it */
    struct match_side side;
};

struct pull_page {
    struct pulled_claim *claims;
    size_t claim_count;
    struct text *withdrawn; /* the peer's ids */
    size_t withdrawn_count;
    struct text next_cursor; /* no text: this is the last page */
    int64_t server_time_ms;
    bool complete;
    struct text epoch;
};

enum page_outcome {
    PAGE_TAKEN,
    PAGE_AGAIN,     /* stored, but more must be removed: call store_begin_pull again */
    PAGE_RESTARTS,  /* all claims must be requested: call store_begin_pull again */
    PAGE_OVERTAKEN, /* another process has continued the pull, or the peer was removed */
    PAGE_STRANGE,   /* a claim is about a callsign that was not requested; nothing was stored */
    PAGE_TOO_MANY,  /* more claims than our members can have; nothing was stored */
};

/* Stores a page, in one transaction. Skips and counts claims whose station is our member, or was
 * another peer's before. */
enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome);

#endif
