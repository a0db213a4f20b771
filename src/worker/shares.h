/* Shares of a program's workers: each address and each member uses only its share at a time. A
 * share is half of the workers on one socket, or a fixed number (shares.c).
 *
 * Each worker records its client in an entry in shared memory. The worker holds a lock on its
 * entry, so the entry ends with the worker, even if the worker is killed. */
#ifndef QSOSYNC_WORKER_SHARES_H
#define QSOSYNC_WORKER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"
#include "worker/rate_limit.h"

#define SHARES_PROGRAMS 2 /* each program has its own workers */

/* The client of a request. */
struct client {
    struct network network;
    int64_t member_id; /* 0: not known, or not a member */
};

/* A worker's entry in the shared table. */
struct shares {
    const struct shared_file *table; /* table of the request limit */
    int program;                     /* number of the program */
    uint64_t socket;                 /* result of gateway_socket */
    int entry;                       /* -1: the worker has no entry, so every request is served */
};

/* Creates an entry, which ends when the table is closed. The caller fills in all fields except
 * `entry`. */
void shares_enter(struct shares *shares);

/* Assigns the worker to the client unless the client already uses its share. The share is used if
 * that many other workers serve the client's address, or its member. Returns false, and changes
 * nothing, if the share is used. */
bool shares_take(const struct shares *shares, const struct client *client);

/* Returns whether the client may wait for its turn. If the worker cannot serve other clients in the
 * meantime, the worker counts as waiting until shares_take or shares_release. */
bool shares_wait(const struct shares *shares, const struct client *client);

/* Records that the worker serves no client, and that no client waits in it. */
void shares_release(const struct shares *shares);

#endif
