/* Services of other clubs, which identify themselves with a key. */
#ifndef QSOSYNC_SITE_PEERS_H
#define QSOSYNC_SITE_PEERS_H

#include "worker/route.h"

/* The peer whose key is in the request; STORE_NONE: the request has no valid key. */
enum store_result peers_identify(struct exchange *exchange, struct identity *out);

#endif
