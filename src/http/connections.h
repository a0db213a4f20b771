/* The connections of a FastCGI worker: new ones, and those that the front server keeps open. */
#ifndef QSOSYNC_HTTP_CONNECTIONS_H
#define QSOSYNC_HTTP_CONNECTIONS_H

#include <signal.h>
#include <stdbool.h>

#define CONNECTIONS_KEPT_MAX 32

struct connections {
    int listening;
    int epoll;
    bool accepts; /* the listening socket is watched */
    bool woken;   /* perhaps for a new connection, and no other worker was */
    int kept;     /* connections that are watched, without those in ready */
    int kept_max;
    int accepted_in_a_row;
    int ready[CONNECTIONS_KEPT_MAX]; /* kept ones with another request */
    int ready_count;
    sigset_t while_waiting;
};

/* Blocks the signals that ask the worker to end. False, with errno, when the socket cannot be
 * watched. */
bool connections_open(struct connections *connections, int listening);

/* Waits for a connection with a request; the caller owns it. Returns -1 when the worker is asked to
 * end and nothing that it was woken for is left. */
int connections_next(struct connections *connections);

/* Takes back a connection whose request was answered, and which may bring another one. */
void connections_keep(struct connections *connections, int connection);

/* Closes a connection that was given out. Where another process has it, too, only here. */
void connections_remove(struct connections *connections, int connection);

void connections_close(struct connections *connections);

#endif
