/* Shares of a program's workers: each address and each member uses at most half of them at a time.
 *
 * Workers note in shared memory whom they serve. What a worker has noted ends with it, even if it
 * is killed: it holds a lock on its entry as long as it lives. */
#ifndef QSOSYNC_WORKER_SHARES_H
#define QSOSYNC_WORKER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"
#include "worker/rate_limit.h"

#define SHARES_PROGRAMS 2 /* with workers of their own each */

/* The client of a request. */
struct client {
    struct network network;
    int64_t member_id; /* 0: not known, or nobody */
};

/* A worker's entry in the shared table. */
struct shares {
    const struct shared_file *table; /* that of the request limit */
    int program;                     /* its number */
    uint64_t socket;                 /* gateway_socket */
    int entry;                       /* -1: it has none, and everything is granted */
};

/* Makes an entry, which needs all but `entry` filled in; it ends when the table is closed. */
void shares_enter(struct shares *shares);

/* Takes the worker for the client, if fewer other workers than the client's share serve the same
 * address, and fewer the same member. False: the client uses its share, and the entry is as it was.
 */
bool shares_take(const struct shares *shares, const struct client *client);

/* Whether the client may wait for its turn. If the worker cannot serve others in the meantime, it
 * counts as waiting until shares_take or shares_release. */
bool shares_wait(const struct shares *shares, const struct client *client);

/* The worker serves nobody, and nobody waits in it. */
void shares_release(const struct shares *shares);

#endif
