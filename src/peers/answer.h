/* Answers requests for claims from other clubs' services, and identifies these services by their
 * keys. */
#ifndef QSOSYNC_PEERS_ANSWER_H
#define QSOSYNC_PEERS_ANSWER_H

#include "worker/route.h"

/* Identifies the peer whose key is in the request. Returns STORE_NONE if the request has no valid
 * key. */
enum store_result answer_identify(struct exchange *exchange, struct identity *out);

/* Reads the identified peer's request, an answer_claims_body, and writes the whole answer. Returns
 * NULL, or the error to answer with. */
const struct error *answer_claims(struct exchange *exchange);
extern const struct route_body answer_claims_body;

#endif
