/* Services of other clubs, which show a key of their own. */
#ifndef QSOSYNC_SITE_PEERS_H
#define QSOSYNC_SITE_PEERS_H

#include "worker/route.h"

/* The peer whose key the request brings; STORE_NONE: it brings none. */
enum store_result peers_identify(struct exchange *exchange, struct identity *out);

#endif
