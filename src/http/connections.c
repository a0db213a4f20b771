/* Waits for requests, so that a signal between two of them never loses one. Knows nothing of what
 * comes over a connection.
 *
 * nginx closes a connection when it has read the whole answer. A worker that waited for that would
 * go to sleep after each request while the next one is there already; so it takes new connections
 * meanwhile, and closes the old ones when it looks at them next. A front server that uses
 * connections again is told apart by its first second request: from then on the worker takes no
 * other connection beside one that is kept, or requests would wait for each other here while
 * another worker has nothing to do. */
#include "http/connections.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "http/signals.h"

#define IN_A_ROW_MAX 8 /* new connections before the kept ones are looked at */

/* Several workers share the listening socket: EPOLLEXCLUSIVE wakes one of them, and a socket that
 * does not block lets the others go on waiting. */
static bool watch_socket(struct connections *connections, bool accepts)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE,
                                .data.fd = connections->listening};
    if (connections->accepts == accepts)
        return true;
    connections->accepts = accepts;
    return epoll_ctl(connections->epoll, accepts ? EPOLL_CTL_ADD : EPOLL_CTL_DEL,
                     connections->listening, &event) == 0;
}

bool connections_open(struct connections *connections, int listening)
{
    int flags = fcntl(listening, F_GETFL);
    *connections = (struct connections){.listening = listening, .kept_max = CONNECTIONS_KEPT_MAX};
    connections->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (connections->epoll < 0 || flags < 0 || fcntl(listening, F_SETFL, flags | O_NONBLOCK) != 0 ||
        !watch_socket(connections, true))
        return false;
    signals_block(&connections->while_waiting);
    return true;
}

/* A process that sends an answer may hold what is closed here, for a moment or until it ends; so
 * closing alone would not end the watch. */
void connections_remove(struct connections *connections, int connection)
{
    epoll_ctl(connections->epoll, EPOLL_CTL_DEL, connection, NULL);
    close(connection);
}

/* Whether the other side has closed a connection, and left no request there. */
static bool is_left(const struct epoll_event *event)
{
    char next;
    return (event->events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) &&
           recv(event->data.fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static void sort_kept(struct connections *connections, const struct epoll_event *event)
{
    connections->kept--;
    if (is_left(event)) {
        connections_remove(connections, event->data.fd);
        return;
    }
    connections->ready[connections->ready_count++] = event->data.fd;
    connections->kept_max = 1;
}

/* Looks what has come, or waits until something does. */
static void look(struct connections *connections, bool waits)
{
    struct epoll_event events[CONNECTIONS_KEPT_MAX + 1];
    int count = epoll_pwait(connections->epoll, events, CONNECTIONS_KEPT_MAX + 1, waits ? -1 : 0,
                            &connections->while_waiting);
    connections->accepted_in_a_row = 0;
    /* A signal may come together with a connection that woke this worker and no other. */
    if (waits && count < 0)
        connections->woken = connections->accepts;
    for (int i = 0; i < count; i++)
        if (events[i].data.fd != connections->listening)
            sort_kept(connections, &events[i]);
        else if (waits)
            connections->woken = true;
}

static int accept_new(struct connections *connections)
{
    connections->woken = false;
    int connection = accept4(connections->listening, NULL, NULL, SOCK_CLOEXEC);
    if (connection >= 0 && connections->kept > 0)
        connections->accepted_in_a_row++;
    return connection;
}

static void note_failure(void)
{
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return;
    log_line("cannot accept a connection: %s", strerror(errno));
    poll(NULL, 0, 100); /* out of file descriptors: do not spin */
    signals_look();
}

/* What came before the signal or together with it; what else waits is left to others. */
static int find_last(struct connections *connections)
{
    if (connections->ready_count == 0)
        look(connections, false);
    if (connections->ready_count > 0)
        return connections->ready[--connections->ready_count];
    return connections->woken ? accept_new(connections) : -1;
}

int connections_next(struct connections *connections)
{
    bool has_waited = false;
    signals_look();
    while (!signals_asked_to_end()) {
        if (connections->accepted_in_a_row >= IN_A_ROW_MAX && connections->ready_count == 0)
            look(connections, false);
        if (connections->ready_count > 0)
            return connections->ready[--connections->ready_count];
        bool has_space = connections->kept < connections->kept_max;
        if (connections->woken || (has_space && !has_waited)) {
            int connection = accept_new(connections);
            if (connection >= 0)
                return connection;
            note_failure();
        }
        if (signals_asked_to_end() || !watch_socket(connections, has_space))
            break;
        look(connections, true);
        has_waited = true;
    }
    return find_last(connections);
}

void connections_keep(struct connections *connections, int connection)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.fd = connection};
    bool has_space = connections->kept + connections->ready_count < CONNECTIONS_KEPT_MAX;
    if (has_space &&
        (epoll_ctl(connections->epoll, EPOLL_CTL_ADD, connection, &event) == 0 || errno == EEXIST))
        connections->kept++;
    else
        connections_remove(connections, connection);
}

void connections_close(struct connections *connections)
{
    close(connections->epoll);
}
