/* Answers services of other clubs: their routes' work, and the key that identifies them. */
#ifndef QSOSYNC_PEERS_ANSWER_H
#define QSOSYNC_PEERS_ANSWER_H

#include "worker/route.h"

/* The peer whose key is in the request; STORE_NONE: the request has no valid key. */
enum store_result answer_identify(struct exchange *exchange, struct identity *out);

/* The bounds of both requests. */
extern const struct route_body answer_claims_body, answer_pair_body;

/* Claims for the identified peer: reads the request and writes the whole answer. */
const struct error *answer_claims(struct exchange *exchange);

/* Pairs with the sender, by a code that "peer add" has printed. The answer is our club's name (no
 * text: null), which the caller knows. */
const struct error *answer_pair(struct exchange *exchange);
void answer_write_club(struct exchange *exchange, struct text name);

#endif
