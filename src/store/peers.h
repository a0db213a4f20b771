/* Other clubs' services, which confirm QSOs between their members and ours: pairing and identifying
 * them (peers.c), our answers to them (claims_serve.c), and their answers to us (claims_fetch.c).
 *
 * Two clubs pair once:
 *
 *     store_add_peer_code()         the club that creates the code
 *     store_begin_peer()            the club that enters it; then it sends the request
 *     store_pair_peer()             the first club, for that request
 *     store_finish_peer()           the second club, for the answer
 *
 * A visit then asks a peer for its claims:
 *
 *     store_begin_pull(store, arena, peer_id, true, &pull)
 *     while pull.count > 0:
 *         ... send the request and check the answer
 *         store_take_page(store, &pull, &page, &outcome)
 *         store_begin_pull(store, arena, peer_id, false, &pull)   after the last page of a pull
 *     store_record_visit()          unless the visit's last page was stored
 *
 * Every step runs its own transaction, so a step that was interrupted can be repeated. Nothing is
 * held between two steps: the peer may have been removed, or another process may have continued
 * the visit (PAGE_OVERTAKEN). Texts that a function fills in are in the caller's arena; those that
 * a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_PEERS_H
#define QSOSYNC_STORE_PEERS_H

#include "base/host.h"
#include "qso/match.h"
#include "store/qsos.h"
#include "store/transaction.h"

#define PEER_CODE_DAYS 7
#define PEER_NAME_MAX 500  /* bytes */
#define PEER_CODE_MARK '#' /* a code is the address, this, and the secret */
#define PEER_CODE_SIZE (PEER_NAME_MAX + 1 + API_KEY_COOKIE_LENGTH + 1)

struct peer {
    int64_t id;
    struct text name;     /* the address without its scheme */
    struct text address;  /* without a slash at the end */
    struct text club;     /* the club's name; no text: it has not sent any */
    int64_t paired_at_ms; /* 0: the other side has not answered yet */
    unsigned char code[API_KEY_FINGERPRINT_BYTES];
    /* fingerprint of the key that the peer sends us */
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct text ask_key;    /* key that we send to the peer */
    struct text given_key;  /* key for the peer, stored until it is paired */
    int64_t asked_at_ms;    /* time of the last visit; 0: never */
    int64_t answered_at_ms; /* when the peer had last answered everything */
    struct text failure;    /* failure of the last visit; no text: none */
    int64_t claims;         /* claims that are stored */
    int64_t skipped;        /* claims not stored, because their station is ours or another peer's */
    struct text skipped_callsign;
};
typedef void peer_visitor(void *context, const struct peer *peer);

/* Takes an address apart. False: no peer may have it. It begins with https://, or with http:// on
 * this machine itself, and has no slash at its end. */
bool peers_read_address(struct text address, struct web_address *out);

/* Normalises an address that somebody typed, so that addresses can be compared. Returns why it
 * cannot be another club's, in words for people, given the `own` address of this service (no text:
 * it is this service's, for other clubs). NULL: it can. */
const char *peers_judge_address(struct text own, struct text *address);

/* Lists all peers, the oldest first; or the paired ones, in the order of their next visits: the
 * peer that has waited longest comes first. The texts are valid during the call. */
enum store_result store_list_peers(struct store *store, peer_visitor *visit, void *context);
enum store_result store_list_peers_to_visit(struct store *store, peer_visitor *visit,
                                            void *context);

/* How many QSOs a peer's claims confirm. Counts rows: not for every request. */
enum store_result store_count_confirmations(struct store *store, int64_t id, int64_t *count);

/* Finds the peer with this name or address, its texts in the arena. STORE_NONE: no such peer. */
enum store_result store_find_peer(struct store *store, struct arena *arena, struct text name,
                                  struct peer *out);

/* Creates a code, which the caller must wipe, for the service at this address, and stores its
 * fingerprint. The address may use it once before it expires; an open code of this address ends.
 * Both addresses are checked. STORE_REFUSED: the address is a peer's already. Runs its own
 * transaction. */
enum store_result store_add_peer_code(struct store *store, struct arena *arena, struct text own,
                                      struct text address, char code[PEER_CODE_SIZE]);

/* The side that enters a code stores its keys before it sends the request. So the code can be
 * entered again if the answer is lost. *peer, with address, code and keys, then gets the keys of
 * the first time. STORE_REFUSED: the address is a peer's already. Runs its own transaction. */
enum store_result store_begin_peer(struct store *store, struct arena *arena, struct peer *peer);

/* Call after the other side has accepted. Runs its own transaction. */
enum store_result store_finish_peer(struct store *store, int64_t id, struct text name,
                                    struct text club);

/* The other side's part, for a code entered there. STORE_NONE: no such code is open for this
 * address. Repeating the same request is not an error. Runs its own transaction. */
enum store_result store_pair_peer(struct store *store, struct arena *arena, struct peer *peer);

/* Ends the peer's keys at once, then each confirmation that rested on it, in short transactions.
 * STORE_NONE: no such peer. */
enum store_result store_remove_peer(struct store *store, int64_t id);

/* Removes the claims that an interrupted removal has left. */
enum store_result store_resume_peer_removal(struct store *store);

/* Records the end of a visit that did not take its last page, which records it itself: its failure
 * (NULL: none), and whether the peer has answered everything. Runs its own transaction. */
enum store_result store_record_visit(struct store *store, int64_t id, const char *failure,
                                     bool is_complete);

/* -- Answers to peers: the QSOs that our members claim with theirs ----------------------------- */

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

/* -- Answers of peers -------------------------------------------------------------------------- */

/* A visit asks a peer once for each of our members, in groups and pages. The content of a page is
 * one transaction, including the place where the next page continues. */

/* The next request of a visit. The texts are in the arena. */
struct pull {
    int64_t peer_id;
    struct text callsigns[CLAIMING_MEMBERS_MAX]; /* in their order, as they are compared */
    size_t count;                                /* 0: the visit has nothing left to request */
    int64_t since_ms;   /* since when all of them are asked for; 0: everything */
    struct text cursor; /* no text: the beginning */
    struct text epoch;  /* no text: not known */
    int64_t round, visit;
    bool is_last; /* after its last page, this visit has no members left to ask for */
};

/* Begins the next pull of a visit. With begins_visit it is the first of a new visit, which
 * continues an interrupted pull and then asks for all others. A visit that another process has
 * begun ends with its next page. Runs its own transaction. STORE_NONE: no such peer is paired. */
enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out);

/* A QSO that a member of the peer claims; everything is checked except the owners of the callsigns.
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
    PAGE_AGAIN,     /* page stored, but more must be removed: ask again with store_begin_pull */
    PAGE_RESTARTS,  /* the peer must be asked for everything: ask again with store_begin_pull */
    PAGE_OVERTAKEN, /* another process has continued the pull, or the peer was removed */
    PAGE_STRANGE,   /* a claim is about a callsign that was not requested; nothing was stored */
    PAGE_TOO_MANY,  /* more claims than there can be; nothing was stored */
};

/* Stores a page, in one transaction. Claims whose station is a member of ours, or was another
 * peer's before, are left out and counted. */
enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome);

#endif
