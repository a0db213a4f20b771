/* Answers requests from other clubs' services to be paired. */
#ifndef QSOSYNC_PEERS_ANSWER_PAIRING_H
#define QSOSYNC_PEERS_ANSWER_PAIRING_H

#include "worker/route.h"

/* Reads the request, an answer_pairing_body, and pairs with the sender if the code in the request
 * is valid. The command "peer add" and the operator's page create such codes. Returns NULL, or the
 * error to answer with. */
const struct error *answer_pairing(struct exchange *exchange);
extern const struct route_body answer_pairing_body;

/* Writes the answer: our club's name, which the caller looks up. If there is no text, null is
 * written. */
void answer_pairing_write_club(struct exchange *exchange, struct text name);

#endif
