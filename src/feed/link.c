/* The program qsosync-link: reads spots from one or two other DX clusters by telnet, and stores
 * them for the spots page. It skips lines that it cannot read. It also announces spots of members
 * who agreed. It sends nothing else from a log or our feed, and never a spot that came from a
 * cluster.
 *
 * It does not enter a sandbox itself, because that would remove network access; its systemd unit
 * restricts it instead. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/host_local.h"
#include "base/log.h"
#include "base/random.h"
#include "base/host.h"
#include "feed/received.h"
#include "feed/telnet.h"
#include "installation.h"
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "worker/sandbox.h"
#include "worker/settings.h"

#define CLUSTERS_MAX 2
#define PENDING_MAX 100 /* spots waiting to be stored; more than this per second are dropped */
#define KEEP_MS 1000
#define CONNECT_WAIT_MS 30000
#define SILENCE_MS 900000 /* disconnect from a cluster that is silent for this long */
#define PAUSE_FIRST_MS 2500
#define PAUSE_MAX_MS 900000
#define LOOK_MS 60000           /* how often to check for settings while none are set */
#define ANNOUNCED_AGE_MS 600000 /* older spots are no longer announced */
#define ANNOUNCED_MAX 5         /* spots per KEEP_MS */

static volatile sig_atomic_t ended;

static void end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

struct cluster {
    char host[NETWORK_SOURCE_MAX + 1], port[6];
    int socket; /* -1: none */
    int tries;  /* each try uses the host's next address */
    bool is_connected, is_logged_in;
    struct telnet telnet;
    int64_t heard_ms, next_ms, pause_ms; /* monotonic: last data, and the next try */
};

struct link {
    const char *path;
    struct store *store;
    struct arena arena, sent;
    struct club club;
    struct cluster clusters[CLUSTERS_MAX];
    int cluster_count, pending_count;
    struct network_spot pending[PENDING_MAX];
    int64_t kept_ms;   /* last use of the logbook; monotonic */
    int64_t last_spot; /* the newest announced spot; -1: not known yet */
    int announced;     /* in the present round */
};

/* -- Connections ------------------------------------------------------------------------------- */

/* Doubles the next pause. Pauses vary by up to a half, so that clubs do not all return at once when
 * a cluster does. */
static void leave(struct cluster *cluster, int64_t now_ms, const char *why)
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

static bool may_reach(const struct link *link, const struct addrinfo *address)
{
    return link->club.clusters_by_command || !host_is_local_address(address->ai_addr);
}

/* Each try uses the next permitted address; NULL: all addresses are forbidden. */
static const struct addrinfo *choose(const struct link *link, struct cluster *cluster,
                                     const struct addrinfo *found)
{
    const struct addrinfo *chosen = NULL;
    int count = 0, skipped = 0;
    for (const struct addrinfo *one = found; one; one = one->ai_next)
        count += may_reach(link, one);
    for (const struct addrinfo *one = found; one && !chosen; one = one->ai_next)
        if (may_reach(link, one) && skipped++ == cluster->tries % count)
            chosen = one;
    cluster->tries++;
    return chosen;
}

static void join(struct link *link, struct cluster *cluster, int64_t now_ms)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    if (getaddrinfo(cluster->host, cluster->port, &wanted, &found) != 0) {
        leave(cluster, now_ms, "the address cannot be resolved");
        return;
    }
    const struct addrinfo *address = choose(link, cluster, found);
    if (!address) {
        freeaddrinfo(found);
        leave(cluster, now_ms,
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
        leave(cluster, now_ms, strerror(errno));
}

static bool say(const struct cluster *cluster, struct text text)
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

/* -- Received lines ---------------------------------------------------------------------------- */

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

/* Finds the prompt, which has no line end. */
static bool log_in(struct link *link, struct cluster *cluster)
{
    if (cluster->is_logged_in || cluster->telnet.is_complete ||
        (!strcasestr(cluster->telnet.line, "login:") && !strcasestr(cluster->telnet.line, "call:")))
        return true;
    struct text filter = link->club.values[CLUB_FILTER];
    cluster->is_logged_in = true;
    return say(cluster, link->club.values[CLUB_STATION]) &&
           (!filter.bytes || say(cluster, filter)) && say(cluster, text_of("sh/dx 25"));
}

static void hear(struct link *link, struct cluster *cluster, int64_t now_ms)
{
    unsigned char bytes[4096];
    ssize_t length = recv(cluster->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length <= 0) {
        leave(cluster, now_ms, length == 0 ? "the connection was closed" : strerror(errno));
        return;
    }
    int64_t wall_ms = clock_wall_ms();
    cluster->is_connected = true;
    cluster->heard_ms = now_ms;
    for (ssize_t i = 0; i < length; i++)
        if (telnet_take(&cluster->telnet, bytes[i]))
            take_line(link, cluster, wall_ms);
    if (!log_in(link, cluster))
        leave(cluster, now_ms, "it does not accept the login");
}

static void look_after(struct link *link, struct cluster *cluster, int64_t now_ms)
{
    int64_t wait_ms = cluster->is_connected ? SILENCE_MS : CONNECT_WAIT_MS;
    if (cluster->socket < 0 && now_ms >= cluster->next_ms)
        join(link, cluster, now_ms);
    else if (cluster->socket >= 0 && now_ms - cluster->heard_ms > wait_ms)
        leave(cluster, now_ms, "it sends nothing");
}

/* -- The logbook ------------------------------------------------------------------------------- */

/* Opens a replaced logbook again. */
static bool open_store(struct link *link)
{
    if (link->store && !store_is_current(link->store, link->path)) {
        store_close(link->store);
        link->store = NULL;
        link->last_spot = -1;
    }
    return link->store || store_open(link->path, OPEN_EXISTING, &link->store) == STORE_DONE;
}

/* Spots that cannot be stored now are tried again with the next spots. */
static void keep(struct link *link)
{
    if (link->pending_count == 0)
        return;
    if (store_add_network_spots(link->store, link->pending, link->pending_count) == STORE_DONE)
        link->pending_count = 0;
    store_checkpoint(link->store);
}

/* An older release stored addresses of any length. */
static void add_cluster(struct link *link, struct text address)
{
    struct cluster *cluster = &link->clusters[link->cluster_count];
    struct text port = address, host = text_split_next(&port, ':');
    *cluster = (struct cluster){.socket = -1};
    if (format_whole(cluster->host, sizeof cluster->host, "%.*s", (int)host.length, host.bytes) &&
        format_whole(cluster->port, sizeof cluster->port, "%.*s", (int)port.length, port.bytes))
        link->cluster_count++;
    else
        log_line("the address %.*s is too long", (int)address.length, address.bytes);
}

/* True once the club has set the clusters and the callsign to use. */
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
    return link->cluster_count > 0;
}

/* -- Announcing -------------------------------------------------------------------------------- */

/* Sends the spot from the club's station, naming the member: clusters accept "DX BY" from few
 * stations. */
static bool announce(void *context, const struct spot *spot)
{
    struct link *link = context;
    char spotter[SPOT_CALLSIGN_MAX + 1], callsign[SPOT_CALLSIGN_MAX + 1];
    char comment[SPOT_COMMENT_MAX + 1];
    if (link->announced++ == ANNOUNCED_MAX)
        return false;
    link->last_spot = spot->id;
    if (spot->band != BAND_ELEVEN_METERS || spot->frequency_hz == 0 ||
        !spot_format_callsign(spot->spotter, spotter) ||
        !spot_format_callsign(spot->dx_callsign, callsign))
        return true;
    spot_format_comment(spot, comment, sizeof comment);
    const char *line = arena_print(&link->sent, "DX %.1f %s by %s %s",
                                   (double)spot->frequency_hz / 1000.0, callsign, spotter, comment);
    for (int i = 0; i < link->cluster_count; i++)
        if (link->clusters[i].is_logged_in && link->clusters[i].socket >= 0)
            say(&link->clusters[i], text_of(line));
    return true;
}

/* Spots from before the program started are skipped. */
static void announce_new(struct link *link)
{
    bool has_listener = false;
    for (int i = 0; i < link->cluster_count; i++)
        has_listener |= link->clusters[i].socket >= 0 && link->clusters[i].is_logged_in;
    arena_reset(&link->sent);
    link->announced = 0;
    if (link->last_spot < 0)
        store_find_last_spot(link->store, &link->last_spot);
    else if (has_listener)
        store_list_announced_spots(link->store, link->last_spot, clock_wall_ms() - ANNOUNCED_AGE_MS,
                                   announce, link);
}

static void follow(struct link *link)
{
    while (!ended) {
        struct pollfd sockets[CLUSTERS_MAX];
        for (int i = 0; i < link->cluster_count; i++) {
            look_after(link, &link->clusters[i], clock_monotonic_ms());
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
            announce_new(link);
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
    link.last_spot = -1;
    link.path = settings_text(SETTING_DB, NULL, NULL);
    if (!settings_check())
        return 1;
    while (!ended && !read_settings(&link))
        poll(NULL, 0, LOOK_MS);
    follow(&link);
    store_close(link.store);
    return 0;
}
