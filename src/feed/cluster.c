/* Connects to another DX cluster, and disconnects if the cluster is silent. link.c reads what a
 * cluster sends. */
#include "feed/cluster.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/format.h"
#include "base/host_local.h"
#include "base/log.h"
#include "base/random.h"

#define CONNECT_WAIT_MS 30000
#define SILENCE_MS 900000 /* longest silence before a disconnection */
#define PAUSE_FIRST_MS 2500
#define PAUSE_MAX_MS 900000

/* Sets the address. Returns false if the address is too long; logbooks from older releases can
 * contain such addresses. */
bool cluster_set_address(struct cluster *cluster, struct text address)
{
    struct text port = address, host = text_split_next(&port, ':');
    *cluster = (struct cluster){.socket = -1};
    if (format_whole(cluster->host, sizeof cluster->host, "%.*s", (int)host.length, host.bytes) &&
        format_whole(cluster->port, sizeof cluster->port, "%.*s", (int)port.length, port.bytes))
        return true;
    log_line("the address %.*s is too long", (int)address.length, address.bytes);
    return false;
}

/* Disconnects, and doubles the next pause. Pauses vary by up to a half, so that not all clubs
 * connect at once when a cluster becomes reachable again. */
void cluster_leave(struct cluster *cluster, int64_t now_ms, const char *why)
{
    uint16_t chance = 0;
    if (cluster->socket >= 0)
        close(cluster->socket);
    cluster->socket = -1;
    if (cluster->pause_ms < PAUSE_FIRST_MS)
        cluster->pause_ms = PAUSE_FIRST_MS;
    random_fill(&chance, sizeof chance);
    cluster->next_ms = now_ms + cluster->pause_ms / 2 + cluster->pause_ms * chance / UINT16_MAX;
    cluster->pause_ms = cluster->pause_ms * 2 < PAUSE_MAX_MS ? cluster->pause_ms * 2 : PAUSE_MAX_MS;
    log_line("%s: %s; the next try is in %d s", cluster->host, why,
             (int)((cluster->next_ms - now_ms) / 1000));
}

static bool may_reach(const struct cluster *cluster, const struct addrinfo *address)
{
    return cluster->may_be_local || !host_is_local_address(address->ai_addr);
}

/* Returns the next permitted address of the host, or NULL if all its addresses are forbidden. */
static const struct addrinfo *choose(struct cluster *cluster, const struct addrinfo *found)
{
    const struct addrinfo *chosen = NULL;
    int count = 0, skipped = 0;
    for (const struct addrinfo *one = found; one; one = one->ai_next)
        count += may_reach(cluster, one);
    for (const struct addrinfo *one = found; one && !chosen; one = one->ai_next)
        if (may_reach(cluster, one) && skipped++ == cluster->tries % count)
            chosen = one;
    cluster->tries++;
    return chosen;
}

static void join(struct cluster *cluster, int64_t now_ms)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    if (getaddrinfo(cluster->host, cluster->port, &wanted, &found) != 0) {
        cluster_leave(cluster, now_ms, "the address cannot be resolved");
        return;
    }
    const struct addrinfo *address = choose(cluster, found);
    if (!address) {
        freeaddrinfo(found);
        cluster_leave(
            cluster, now_ms,
            "the address is not public; only qsosync-admin club set accepts such an address");
        return;
    }
    cluster->socket = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int result = connect(cluster->socket, address->ai_addr, address->ai_addrlen);
    freeaddrinfo(found);
    cluster->telnet = (struct telnet){.takes_bytes = true};
    cluster->is_connected = cluster->is_logged_in = false;
    cluster->heard_ms = now_ms;
    if (result != 0 && errno != EINPROGRESS)
        cluster_leave(cluster, now_ms, strerror(errno));
}

bool cluster_say(const struct cluster *cluster, struct text text)
{
    struct buffer line = {0};
    buffer_append(&line, text.bytes, text.length);
    buffer_append_string(&line, "\r\n");
    const ssize_t sent =
        send(cluster->socket, line.bytes, line.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    const bool is_whole = sent == (ssize_t)line.length;
    buffer_free(&line);
    return is_whole;
}

void cluster_maintain(struct cluster *cluster, int64_t now_ms)
{
    int64_t wait_ms = cluster->is_connected ? SILENCE_MS : CONNECT_WAIT_MS;
    if (cluster->socket < 0 && now_ms >= cluster->next_ms)
        join(cluster, now_ms);
    else if (cluster->socket >= 0 && now_ms - cluster->heard_ms > wait_ms)
        cluster_leave(cluster, now_ms, "the cluster has sent nothing for too long");
}
