/* Other clubs' services, which confirm QSOs between their members and ours: pairing and identifying
 * them. Our answers to them are in claims_serve.h, and their answers to us in claims_fetch.h.
 *
 * Two clubs pair once:
 *
 *     store_add_peer_code()         the club that creates the code
 *     store_begin_peer()            the club that enters it; then it sends the request
 *     store_pair_peer()             the first club, for that request
 *     store_finish_peer()           the second club, for the answer
 *
 * Every step runs its own transaction, so a step that was interrupted can be repeated. Nothing is
 * held between two steps, so the peer may have been removed. Texts that a function fills in are in
 * the caller's arena; those that a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_PEERS_H
#define QSOSYNC_STORE_PEERS_H

#include "base/host.h"
#include "qso/match_callsign.h"
#include "store/log/qsos.h"
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

#endif
