/* Stores peers: other clubs' services, which confirm QSOs between their members and ours. This
 * header is for pairing; claims_serve.h is for our answers to peers, and claims_fetch.h for their
 * answers to us.
 *
 * Two clubs pair once:
 *
 *     store_add_peer_code()         the club that creates the code
 *     store_begin_peer()            the club that enters the code, before it sends the request
 *     store_pair_peer()             the first club, when it receives the request
 *     store_finish_peer()           the second club, when it receives the answer
 *
 * Each step runs its own transaction, so a step that was interrupted can be repeated. No lock is
 * held between two steps, so the peer may have been removed. Texts that a function fills in are in
 * the caller's arena; texts that a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_PEERS_H
#define QSOSYNC_STORE_PEERS_H

#include "base/host.h"
#include "qso/match_callsign.h"
#include "store/log/qsos.h"
#include "store/transaction.h"

#define PEER_CODE_DAYS 7
#define PEER_NAME_MAX 500  /* maximum length in bytes */
#define PEER_CODE_MARK '#' /* separator between the address and the secret in a code */
#define PEER_CODE_SIZE (PEER_NAME_MAX + 1 + API_KEY_COOKIE_LENGTH + 1)

struct peer {
    int64_t id;
    struct text name;     /* address without its scheme */
    struct text address;  /* address without a final slash */
    struct text club;     /* the club's name; no text: not received */
    int64_t paired_at_ms; /* time of the pairing; 0: the peer has not answered yet */
    unsigned char code[API_KEY_FINGERPRINT_BYTES];
    /* fingerprint of the key that the peer sends */
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct text ask_key;    /* key that we send to the peer */
    struct text given_key;  /* key for the peer to use, stored until the peer is paired */
    int64_t asked_at_ms;    /* time of the last visit; 0: never */
    int64_t answered_at_ms; /* time of the last complete visit; 0: never */
    struct text failure;    /* reason why the last visit failed; no text: no failure */
    int64_t claims;         /* number of stored claims */
    /* number of claims not stored, because the station is our member or belongs to another peer */
    int64_t skipped;
    struct text skipped_callsign;
};
typedef void peer_visitor(void *context, const struct peer *peer);

/* Parses a peer's address, without a final slash: https://, or http:// for this machine. Returns
 * false if a peer must not have the address. */
bool peers_read_address(struct text address, struct web_address *out);

/* Checks and normalises an address that somebody has entered. Returns NULL if the address is valid.
 * Otherwise, returns the reason why it cannot be another club's address. `own` is this service's
 * address; if `own` has no text, the function checks this service's own address. */
const char *peers_check_address(struct text own, struct text *address);

/* Lists the peers that were not removed, oldest first. */
enum store_result store_list_peers(struct store *store, peer_visitor *visit, void *context);

/* Lists the paired peers in the order of their next visits. The peer that has waited longest is
 * first. */
enum store_result store_list_peers_to_visit(struct store *store, peer_visitor *visit,
                                            void *context);

/* Counts the QSOs that a peer's claims confirm. The function reads many rows, so do not call it for
 * every request. */
enum store_result store_count_confirmations(struct store *store, int64_t id, int64_t *count);

/* Finds the peer with this name or address. Returns STORE_NONE if no peer has this name or address.
 */
enum store_result store_find_peer(struct store *store, struct arena *arena, struct text name,
                                  struct peer *out);

/* Creates a code for the service at this address, and stores the code's fingerprint. That service
 * can use the code once before the code expires. Revokes an open code for the same address. The
 * caller must check both addresses first, and later erase the code from memory. Returns
 * STORE_REFUSED if the address already belongs to a paired peer. Runs its own transaction. */
enum store_result store_add_peer_code(struct store *store, struct arena *arena, struct text own,
                                      struct text address, char code[PEER_CODE_SIZE]);

/* Stores the keys of the side that enters a code, before that side sends the request. So the code
 * can be entered again if the answer is lost: *peer, with address, code and keys, then receives the
 * keys from the first time. Returns STORE_REFUSED if the address already belongs to a paired peer.
 * Runs its own transaction. */
enum store_result store_begin_peer(struct store *store, struct arena *arena, struct peer *peer);

/* Completes the pairing after the other side has accepted. Returns STORE_NONE if the peer was
 * removed in the meantime. Runs its own transaction. */
enum store_result store_finish_peer(struct store *store, int64_t id, struct text name,
                                    struct text club);

/* Pairs with the service that has sent a code and its keys. Repeating a request is not an error.
 * Returns STORE_NONE if this code is not open for this address, and STORE_REFUSED if the address
 * already belongs to a paired peer. Runs its own transaction. */
enum store_result store_pair_peer(struct store *store, struct arena *arena, struct peer *peer);

/* Revokes the peer's keys at once, and then ends all confirmations by the peer's claims, in short
 * transactions. Returns STORE_NONE if no peer has this id. */
enum store_result store_remove_peer(struct store *store, int64_t id);

/* Continues interrupted removals of peers. */
enum store_result store_resume_peer_removal(struct store *store);

/* Records the end of a visit, the reason for a failure (NULL: the visit succeeded), and whether the
 * peer has answered every request. If the last page of the visit was stored, store_take_page has
 * already done this. Runs its own transaction. */
enum store_result store_record_visit(struct store *store, int64_t id, const char *failure,
                                     bool is_complete);

#endif
