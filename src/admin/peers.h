/* Finds peers, which are other clubs' services. */
#ifndef QSOSYNC_ADMIN_PEERS_H
#define QSOSYNC_ADMIN_PEERS_H

#include "admin/command.h"
#include "store/club/peers.h"

/* Returns the peer whose name is the first argument, or ends the program. */
struct peer peers_find_named(struct invocation *invocation);

#endif
