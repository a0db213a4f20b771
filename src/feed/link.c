/* The program qsosync-link: reads spots from one or two other DX clusters by telnet, and stores
 * them for the spots page. The program skips lines that it cannot read. announcer.c announces spots
 * of members who agreed to this; nothing else from a log is sent.
 *
 * The program does not enter a sandbox itself, because a sandbox would remove network access. The
 * systemd unit restricts the program instead. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/log.h"
#include "feed/announcer.h"
#include "feed/cluster.h"
#include "feed/received.h"
#include "feed/telnet.h"
#include "installation.h"
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "worker/sandbox.h"
#include "worker/settings.h"

#define CLUSTERS_MAX 2
/* maximum number of spots that wait to be stored; further spots are dropped */
#define PENDING_MAX 100
#define KEEP_MS 1000
#define LOOK_MS 60000 /* time between two checks for settings that are not set */

static volatile sig_atomic_t ended;

static void end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

struct link {
    const char *path;
    struct store *store;
    struct arena arena;
    struct announcer announcer;
    struct club club;
    struct cluster clusters[CLUSTERS_MAX];
    int cluster_count, pending_count;
    struct network_spot pending[PENDING_MAX];
    int64_t kept_ms; /* time of the last use of the logbook; monotonic */
};

static void take_line(struct link *link, struct cluster *cluster, int64_t wall_ms)
{
    struct network_spot *spot = &link->pending[link->pending_count];
    struct text line = {cluster->telnet.line, cluster->telnet.length};
    if (cluster->telnet.is_odd || link->pending_count == PENDING_MAX ||
        !received_read(line, wall_ms, spot))
        return;
    format_cut(spot->source, sizeof spot->source, "%s", cluster->host);
    link->pending_count++;
    cluster->pause_ms = 0;
}

/* Answers the prompt for the callsign, which has no line end. Returns false if the login could not
 * be sent. */
static bool log_in(struct link *link, struct cluster *cluster)
{
    if (cluster->is_logged_in || cluster->telnet.is_complete ||
        (!strcasestr(cluster->telnet.line, "login:") && !strcasestr(cluster->telnet.line, "call:")))
        return true;
    struct text filter = link->club.values[CLUB_FILTER];
    cluster->is_logged_in = true;
    return cluster_say(cluster, link->club.values[CLUB_STATION]) &&
           (!filter.bytes || cluster_say(cluster, filter)) &&
           cluster_say(cluster, text_of("sh/dx 25"));
}

static void hear(struct link *link, struct cluster *cluster, int64_t now_ms)
{
    unsigned char bytes[4096];
    ssize_t length = recv(cluster->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length <= 0) {
        cluster_leave(cluster, now_ms, length == 0 ? "the connection was closed" : strerror(errno));
        return;
    }
    int64_t wall_ms = clock_wall_ms();
    cluster->is_connected = true;
    cluster->heard_ms = now_ms;
    for (ssize_t i = 0; i < length; i++)
        if (telnet_take(&cluster->telnet, bytes[i]))
            take_line(link, cluster, wall_ms);
    if (!log_in(link, cluster))
        cluster_leave(cluster, now_ms, "the login could not be sent");
}

/* Opens the logbook, or reopens the logbook if the file was replaced. */
static bool open_store(struct link *link)
{
    if (link->store && !store_is_current(link->store, link->path)) {
        store_close(link->store);
        link->store = NULL;
        link->announcer.last_id = -1;
    }
    return link->store || store_open(link->path, OPEN_EXISTING, &link->store) == STORE_DONE;
}

/* Stores the pending spots. Spots that cannot be stored stay pending for the next attempt. */
static void keep(struct link *link)
{
    if (link->pending_count == 0)
        return;
    if (store_add_network_spots(link->store, link->pending, link->pending_count) == STORE_DONE)
        link->pending_count = 0;
    store_checkpoint(link->store);
}

static void add_cluster(struct link *link, struct text address)
{
    struct cluster *cluster = &link->clusters[link->cluster_count];
    if (cluster_set_address(cluster, address)) {
        cluster->may_be_local = link->club.clusters_by_command;
        link->cluster_count++;
    }
}

/* Reads the addresses of the clusters and the club's callsign. Returns false if they are not set,
 * or cannot be used. */
static bool read_settings(struct link *link)
{
    if (!open_store(link))
        return false;
    arena_reset(&link->arena);
    if (store_read_club(link->store, &link->arena, &link->club) != STORE_DONE)
        return false;
    struct text list = link->club.values[CLUB_CLUSTERS];
    if (!list.bytes || !link->club.values[CLUB_STATION].bytes)
        return false;
    while (list.length > 0 && link->cluster_count < CLUSTERS_MAX)
        add_cluster(link, text_split_next(&list, ','));
    link->announcer.clusters = link->clusters;
    link->announcer.cluster_count = link->cluster_count;
    return link->cluster_count > 0;
}

static void follow(struct link *link)
{
    while (!ended) {
        struct pollfd sockets[CLUSTERS_MAX];
        for (int i = 0; i < link->cluster_count; i++) {
            cluster_maintain(&link->clusters[i], clock_monotonic_ms());
            sockets[i] = (struct pollfd){.fd = link->clusters[i].socket, .events = POLLIN};
        }
        poll(sockets, (nfds_t)link->cluster_count, KEEP_MS);
        for (int i = 0; i < link->cluster_count; i++)
            if (sockets[i].fd >= 0 && sockets[i].revents)
                hear(link, &link->clusters[i], clock_monotonic_ms());
        if (clock_monotonic_ms() - link->kept_ms < KEEP_MS)
            continue;
        link->kept_ms = clock_monotonic_ms();
        if (open_store(link)) {
            keep(link);
            announcer_run(&link->announcer, link->store);
        }
    }
}

int main(int count, char **arguments)
{
    static struct link link;
    const struct sigaction action = {.sa_handler = end};
    log_set_program("qsosync-link");
    if (count > 1 && strcmp(arguments[1], "--version") == 0)
        return puts("qsosync-link " QSOSYNC_VERSION) < 0;
    if (count > 1)
        return fputs("usage: qsosync-link; qsosync-admin club set defines the clusters\n", stderr) <
                       0
                   ? 1
                   : 2;
    sandbox_drop_rights();
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    link.announcer.last_id = -1;
    link.path = settings_text(SETTING_DB, NULL, NULL);
    if (!settings_check())
        return 1;
    while (!ended && !read_settings(&link))
        poll(NULL, 0, LOOK_MS);
    follow(&link);
    store_close(link.store);
    return 0;
}
