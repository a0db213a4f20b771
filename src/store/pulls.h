/* What peers tell: visits, each of which asks a peer once for each of our members, in groups and
 * pages; what a page brings is one transaction, with the place where the next one goes on. */
#ifndef QSOSYNC_STORE_PULLS_H
#define QSOSYNC_STORE_PULLS_H

#include "base/arena.h"
#include "qso/match.h"
#include "store/claims.h"
#include "store/transaction.h"

/* What is to be asked next. The texts are in the arena. */
struct pull {
    int64_t peer_id;
    struct text callsigns[CLAIMING_MEMBERS_MAX]; /* in their order, as they are compared */
    size_t count;                                /* 0: the visit has nothing left to ask */
    int64_t since_ms;   /* since when all of them are asked for; 0: everything */
    struct text cursor; /* no text: the beginning */
    struct text epoch;  /* no text: not known */
    int64_t round, visit;
    bool is_last; /* nobody is left to ask for in this visit once its last page was taken */
};

/* Begins the next pull of a visit. With begins_visit it is the first of a new one, which goes on
 * with a pull that was interrupted and then asks for all others; a visit that another process has
 * begun ends with its next page. Runs its own transaction. STORE_NONE: no such peer is paired. */
enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out);

/* A QSO that a member of the peer claims; all of it has been judged but whose callsigns they are.
 */
struct pulled_claim {
    struct text number;  /* its id there */
    struct text station; /* as the peer writes it */
    struct match_side side;
};

struct pull_page {
    struct pulled_claim *claims;
    size_t claim_count;
    struct text *withdrawn; /* ids there */
    size_t withdrawn_count;
    struct text next_cursor; /* no text: this was the last page */
    int64_t server_time_ms;
    bool complete;
    struct text epoch;
};

enum page_outcome {
    PAGE_TAKEN,
    PAGE_RESTARTS,  /* the peer has to be asked for everything: ask again by store_begin_pull */
    PAGE_OVERTAKEN, /* another process has gone on with the pull, or the peer was removed */
    PAGE_STRANGE,   /* a claim is about somebody who was not asked for; nothing was stored */
    PAGE_TOO_MANY,  /* more claims than there can be; nothing was stored */
};

/* Stores what the page says, in one transaction. Claims whose station is a member of ours, or was
 * another peer's before, are left out and counted. */
enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome);

#endif
