/* Chooses the claims to request from peers, and stores the answers. A visit requests the claims
 * about each of our members once, in groups and pages:
 *
 *     store_begin_pull(store, arena, peer_id, true, &pull)
 *     while pull.count > 0:
 *         ... send the request and check the answer
 *         store_take_page(store, &pull, &page, &outcome)
 *         store_begin_pull(store, arena, peer_id, false, &pull)   after the last page of a pull
 *     store_record_visit()          unless the visit's last page was stored (peers.h)
 *
 * The content of a page is stored in one transaction, with the place at which the next page
 * continues. So an interrupted visit can be continued. No lock is held between two pages, so the
 * peer may have been removed, or another process may have continued the visit (PAGE_OVERTAKEN). The
 * texts of a pull are in the caller's arena. */
#ifndef QSOSYNC_STORE_CLAIMS_FETCH_H
#define QSOSYNC_STORE_CLAIMS_FETCH_H

#include "qso/match.h"
#include "store/club/claims_serve.h"
#include "store/club/peers.h"

/* The next request of a visit. The texts are in the arena. */
struct pull {
    int64_t peer_id;
    /* sorted callsigns in their form for comparisons */
    struct text callsigns[CLAIMING_MEMBERS_MAX];
    /* number of callsigns; 0: the visit has nothing left to request */
    size_t count;
    /* time from which changes are requested for all of these callsigns; 0: all claims */
    int64_t since_ms;
    struct text cursor; /* place at which the answer continues; no text: the beginning */
    struct text epoch;  /* the peer's epoch; no text: unknown */
    int64_t round, visit;
    bool is_last; /* whether this is the last pull of the visit */
};

/* Begins the next pull of a visit. If begins_visit is true, first begins a new visit, which
 * continues an interrupted pull and then requests the claims about all other members. A visit by
 * another process then ends with that visit's next page. Returns STORE_NONE if no peer with this id
 * is paired. Runs its own transaction. */
enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out);

/* A QSO that a member of the peer claims. All values are checked, but not the owners of the
 * callsigns. */
struct pulled_claim {
    struct text number;  /* the peer's id for the QSO */
    struct text station; /* callsign of the peer's member, as the peer writes it */
    struct match_side side;
};

struct pull_page {
    struct pulled_claim *claims;
    size_t claim_count;
    struct text *withdrawn; /* the peer's ids of withdrawn claims */
    size_t withdrawn_count;
    struct text next_cursor; /* cursor for the next page; no text: this is the last page */
    int64_t server_time_ms;
    bool complete;
    struct text epoch;
};

enum page_outcome {
    PAGE_TAKEN,
    /* the page was stored, but more claims must be removed: call store_begin_pull again */
    PAGE_AGAIN,
    PAGE_RESTARTS,  /* all claims must be requested: call store_begin_pull again */
    PAGE_OVERTAKEN, /* another process has continued the pull or begun a visit, or the peer was
                     * removed */
    PAGE_STRANGE,   /* a claim is about a callsign that was not requested; nothing was stored */
    PAGE_TOO_MANY,  /* with this page, the peer would exceed the maximum number of claims; nothing
                     * was stored */
};

/* Stores a page in one transaction. Skips and counts claims whose station is our member, or already
 * belongs to another peer. */
enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome);

#endif
