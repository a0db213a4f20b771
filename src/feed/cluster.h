/* The connection to another DX cluster, by telnet.
 *
 *   cluster_set_address    once, before all other functions
 *   cluster_maintain       every second: connects if the pause is over, leaves a silent cluster
 *   cluster_say, recv on the socket, cluster_leave    while the socket is not -1
 *
 * A failed or lost connection is logged. The pause before the next attempt doubles each time, up to
 * 15 minutes on average. The caller sets pause_ms to 0 after a useful line. */
#ifndef QSOSYNC_FEED_CLUSTER_H
#define QSOSYNC_FEED_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "feed/telnet.h"
#include "store/log/network_spots.h"
#include "store/log/spots.h"

struct cluster {
    char host[NETWORK_SOURCE_MAX + 1], port[6];
    bool may_be_local; /* whether the cluster is allowed to have an address that is not public */
    int socket;        /* -1: not connected */
    int tries;         /* number of tries; each try uses the host's next address */
    bool is_connected, is_logged_in;
    struct telnet telnet;
    /* monotonic times of the last data and of the next attempt, and length of the next pause */
    int64_t heard_ms, next_ms, pause_ms;
};

/* Sets the address HOST:PORT; the cluster is not connected yet. Returns false, after a line in the
 * system log, if the address is too long. */
bool cluster_set_address(struct cluster *cluster, struct text address);

/* Connects when the pause is over. Disconnects if the cluster has been silent for too long. */
void cluster_maintain(struct cluster *cluster, int64_t now_ms);

/* Sends a line without waiting. Returns false if the line could not be sent completely. */
bool cluster_say(const struct cluster *cluster, struct text text);

/* Disconnects, and logs the reason and the time of the next attempt. */
void cluster_leave(struct cluster *cluster, int64_t now_ms, const char *why);

#endif
