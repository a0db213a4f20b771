/* Receives requests from the front server by FastCGI or CGI, depending on how the worker was
 * started. Detects whether the client is still connected and whether the body has ended. request.c
 * interprets the variables and the body.
 *
 * libfcgi reads the requests. If libfcgi waited for connections, a signal could make libfcgi lose a
 * request, so this file waits instead. With CGI, the environment contains the variables, and
 * standard input contains the body (RFC 3875). */
#include "http/gateway.h"

#include <errno.h>
#include <fcgiapp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/log.h"
#include "http/gateway_state.h"

#define DRAIN_MAX_BYTES (16 << 20) /* more than any front server accepts */

bool gateway_is_cgi(const struct gateway *gateway)
{
    return gateway->is_cgi;
}

static void note_failure(void)
{
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return;
    log_line("cannot accept a connection: %s", strerror(errno));
    poll(NULL, 0, 100); /* no file descriptor is free: wait, instead of trying again at once */
}

/* Lists the connections without a request that the front server keeps open, or the listening socket
 * if no such connection exists. Returns the number of listed items. */
static nfds_t list_connections(const struct gateway *gateway, struct pollfd *watched)
{
    nfds_t count = 0;
    for (const struct place *place = gateway->places; place < gateway->places + GATEWAY_PLACES;
         place++)
        if (!place->is_aside && place->request.ipcFd >= 0)
            watched[count++] = (struct pollfd){.fd = place->request.ipcFd, .events = POLLIN};
    if (count == 0)
        watched[count++] = (struct pollfd){.fd = GATEWAY_LISTENING_SOCKET, .events = POLLIN};
    return count;
}

/* Returns the place whose connection has a request. Closes connections that the front server has
 * closed. If the worker must end, also closes all connections without a request. */
static struct place *find_request(struct gateway *gateway, bool ends)
{
    char next;
    for (struct place *place = gateway->places; place < gateway->places + GATEWAY_PLACES; place++) {
        const int connection = place->request.ipcFd;
        if (place->is_aside || connection < 0)
            continue;
        const ssize_t length = recv(connection, &next, 1, MSG_PEEK | MSG_DONTWAIT);
        if (length > 0)
            return place;
        if (length == 0 || ends || errno != EAGAIN) {
            close(connection);
            place->request.ipcFd = -1;
        }
    }
    return NULL;
}

static struct place *accept_connection(struct gateway *gateway)
{
    struct place *place = gateway->places;
    while (place->is_aside)
        place++;
    place->request.ipcFd = accept4(GATEWAY_LISTENING_SOCKET, NULL, NULL, SOCK_CLOEXEC);
    if (place->request.ipcFd >= 0)
        return place;
    note_failure();
    return NULL;
}

/* Waits for the next request, on a connection that the front server keeps open or on a new
 * connection. */
static enum gateway_event next_connection(struct gateway *gateway, int wait_ms)
{
    struct pollfd watched[1 + GATEWAY_PLACES] = {{.fd = gateway->signals, .events = POLLIN}};
    gateway->place = NULL;
    while (!gateway->place) {
        const nfds_t count = list_connections(gateway, watched + 1);
        const bool keeps_none = watched[1].fd == GATEWAY_LISTENING_SOCKET;
        const int ready = poll(watched, 1 + count, wait_ms);
        if (ready == 0)
            return GATEWAY_QUIET;
        if (ready > 0 && !keeps_none)
            gateway->place = find_request(gateway, watched[0].revents != 0);
        else if (ready > 0 && watched[0].revents)
            return GATEWAY_ENDED;
        else if (ready > 0)
            gateway->place = accept_connection(gateway);
    }
    return GATEWAY_REQUEST;
}

static void begin_request(struct gateway *gateway)
{
    gateway->served = true;
    gateway->lost = false;
    gateway->body_ended = false;
    gateway->output.file = 0;
}

/* Accepts the only request of a CGI program. Later calls wait for wait_ms, or report the end if
 * there is no time limit. */
static enum gateway_event accept_cgi(struct gateway *gateway, int wait_ms)
{
    if (gateway->served && wait_ms < 0)
        return GATEWAY_ENDED;
    if (gateway->served) {
        poll(NULL, 0, wait_ms);
        return GATEWAY_QUIET;
    }
    begin_request(gateway);
    return GATEWAY_REQUEST;
}

enum gateway_event gateway_accept(struct gateway *gateway, int wait_ms)
{
    bool accepted = false;
    if (gateway->is_cgi)
        return accept_cgi(gateway, wait_ms);
    while (!accepted) {
        const enum gateway_event event = next_connection(gateway, wait_ms);
        if (event != GATEWAY_REQUEST)
            return event;
        FCGX_Request *request = &gateway->place->request;
        request->keepConnection = 1; /* otherwise FCGX_Accept_r would close the connection */
        accepted = FCGX_Accept_r(request) == 0;
    }
    begin_request(gateway);
    return GATEWAY_REQUEST;
}

int gateway_put_aside(struct gateway *gateway, struct text body)
{
    struct place *place = gateway->place;
    int others = 0;
    for (int i = 0; i < GATEWAY_PLACES; i++)
        others += &gateway->places[i] != place && !gateway->places[i].is_aside;
    if (others == 0)
        return -1;
    place->is_aside = true;
    place->body_done = 0;
    buffer_clear(&place->body);
    buffer_append(&place->body, body.bytes, body.length);
    return (int)(place - gateway->places);
}

void gateway_take_up(struct gateway *gateway, int place)
{
    gateway->place = &gateway->places[place];
    gateway->place->is_aside = false;
    begin_request(gateway);
}

uint64_t gateway_socket(const struct gateway *gateway)
{
    struct stat status;
    return gateway->is_cgi || fstat(GATEWAY_LISTENING_SOCKET, &status) != 0 ? 0 : status.st_ino;
}

const char *gateway_variable(const struct gateway *gateway, const char *name)
{
    return gateway->is_cgi ? getenv(name) : FCGX_GetParam(name, gateway->place->request.envp);
}

ssize_t gateway_read(struct gateway *gateway, void *out, size_t capacity)
{
    struct place *place = gateway->place;
    FCGX_Stream *in = place->request.in;
    const size_t kept = MIN(capacity, place->body.length - place->body_done);
    if (kept > 0) {
        memcpy(out, place->body.bytes + place->body_done, kept);
        place->body_done += kept;
        return (ssize_t)kept;
    }
    if (gateway->body_ended)
        return 0;
    ssize_t length =
        gateway->is_cgi ? read(STDIN_FILENO, out, capacity) : FCGX_GetStr(out, (int)capacity, in);
    if (!gateway->is_cgi && FCGX_GetError(in) != 0)
        length = -1;
    gateway->body_ended = length <= 0;
    return length;
}

void gateway_drain(struct gateway *gateway)
{
    char rest[8192];
    ssize_t length = 1;
    for (size_t drained = 0; drained < DRAIN_MAX_BYTES && length > 0; drained += (size_t)length)
        length = gateway_read(gateway, rest, sizeof rest);
}

/* Wipes the variables, including keys, because libfcgi frees its copies of the variables without
 * wiping these copies. */
static void wipe_variables(FCGX_Request *request)
{
    for (char **variable = request->envp; variable && *variable; variable++)
        explicit_bzero(*variable, strlen(*variable));
}

void gateway_end_request(struct gateway *gateway)
{
    FCGX_Request *request = &gateway->place->request;
    close(request->ipcFd);
    wipe_variables(request);
    FCGX_Free(request, 0);
    request->ipcFd = -1;
}

/* Ends the request. If the client has disconnected, the connection is closed, because a regular end
 * would wait for the client. */
void gateway_finish(struct gateway *gateway)
{
    FCGX_Request *request = &gateway->place->request;
    buffer_free(&gateway->place->body);
    gateway->place->body_done = 0;
    if (gateway->is_cgi || !request->in)
        return;
    if (gateway->lost) {
        shutdown(request->ipcFd, SHUT_RDWR);
        gateway_end_request(gateway);
        return;
    }
    gateway_drain(gateway);
    wipe_variables(request);
    const bool keep = request->keepConnection != 0;
    /* otherwise libfcgi would wait up to two seconds for the other side */
    request->keepConnection = 1;
    FCGX_Finish_r(request);
    if (!keep) {
        close(request->ipcFd);
        request->ipcFd = -1;
    }
}
