/* Other clubs' services, which confirm QSOs between their members and ours: pairing, and who they
 * are. What a peer is told is in claims.h, what it tells in pulls.h. */
#ifndef QSOSYNC_STORE_PEERS_H
#define QSOSYNC_STORE_PEERS_H

#include "store/credentials.h"
#include "store/transaction.h"

#define PEER_CODE_DAYS 7
#define PEER_NAME_MAX 500  /* bytes */
#define PEER_CODE_MARK '#' /* a code is the address, this, and the secret */
#define PEER_CODE_SIZE (PEER_NAME_MAX + 1 + API_KEY_COOKIE_LENGTH + 1)

struct peer {
    int64_t id;
    struct text name;    /* the address without its scheme */
    struct text address; /* without a slash at the end */
    struct text club;    /* what the club calls itself; no text: nothing */
    int64_t added_at_ms;
    int64_t paired_at_ms; /* 0: the other side has not answered yet */
    unsigned char code[API_KEY_FINGERPRINT_BYTES];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]; /* of the key with which it asks us */
    struct text ask_key;                                  /* with which we ask it */
    struct text given_key; /* the key that it is to have, until it is paired */
    int64_t asked_at_ms;   /* 0: never; the next: when it last had answered everything */
    int64_t answered_at_ms;
    struct text failure; /* of the last visit; no text: none */
    int64_t claims;      /* that are stored */
    int64_t skipped;     /* claims that were not taken: their station is ours or another's */
    struct text skipped_callsign;
};
typedef void peer_visitor(void *context, const struct peer *peer);

/* The name in an address: what follows its scheme; NULL: no peer may have this address. It begins
 * with https://, or with http:// on this machine itself, and has no slash at its end. */
const char *peers_read_address(struct text address);

/* Brings an address that somebody typed into the form in which addresses are compared. Says, for
 * people, why it cannot be another club's if `own` is this service's (no text: it is this
 * service's, for other clubs); NULL: it can. */
const char *peers_judge_address(struct text own, struct text *address);

/* All peers, the oldest first. The texts are valid during the call. */
enum store_result store_list_peers(struct store *store, peer_visitor *visit, void *context);

/* How many QSOs a peer's claims confirm. Counts rows: not for every request. */
enum store_result store_count_confirmations(struct store *store, int64_t id, int64_t *count);

/* The peer of this name or address, whose texts are in the arena. STORE_NONE: there is none. */
enum store_result store_find_peer(struct store *store, struct arena *arena, struct text name,
                                  struct peer *out);

/* Makes a code, which the caller wipes, for the service at this address, and keeps its fingerprint:
 * the address may use it once before it ends; an open code of this address ends. Both addresses are
 * judged. STORE_REFUSED: the address is a peer's already. Runs its own transaction. */
enum store_result store_add_peer_code(struct store *store, struct arena *arena, struct text own,
                                      struct text address, char code[PEER_CODE_SIZE]);

/* Who enters a code keeps its keys before it asks, so that the code can be entered again if the
 * answer is lost: *peer, with address, code and keys, gets the keys of the first time then.
 * STORE_REFUSED: the address is a peer's already. Runs its own transaction. */
enum store_result store_begin_peer(struct store *store, struct arena *arena, struct peer *peer);

/* After the other side has agreed. Runs its own transaction. */
enum store_result store_finish_peer(struct store *store, int64_t id, struct text name,
                                    struct text club);

/* The other side: what was entered there. STORE_NONE: no such code is open for this address. The
 * same once more is no error. Runs its own transaction. */
enum store_result store_pair_peer(struct store *store, struct arena *arena, struct peer *peer);

/* Ends the peer's keys at once, then each confirmation that rested on it, in short transactions.
 * STORE_NONE: there is no such peer. */
enum store_result store_remove_peer(struct store *store, int64_t id, struct text name);

/* Removes the claims that an interrupted removal has left. */
enum store_result store_clear_removed_peers(struct store *store);

/* How the last visit ended: NULL: everything was answered. Runs its own transaction. */
enum store_result store_note_visit(struct store *store, int64_t id, const char *failure);

/* -- For other files of the store -------------------------------------------------------------- */

/* Remove claims about a callsign, or about a member, with what they confirm, not too many at a
 * time; *last: none is left. */
enum store_result peers_forget_callsign(struct transaction *transaction, struct text callsign,
                                        bool *last);
enum store_result peers_forget_member(struct transaction *transaction, int64_t member_id,
                                      bool *last);

#endif
