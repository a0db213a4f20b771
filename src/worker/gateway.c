/* Talks to the front server and keeps what it says apart from what it means.
 *
 * libfcgi reads requests and writes small responses. Two things are done here instead: waiting for
 * connections, so that a signal between two requests never loses one, and writing large responses,
 * which libfcgi would copy in pieces of 8 KiB. */
#include "worker/gateway.h"

#include <assert.h>
#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/api_key.h"
#include "base/arena.h"
#include "base/log.h"

#define LISTENING_SOCKET 0
#define SMALL_RESPONSE_BYTES 4096  /* fits libfcgi's buffer together with the closing records */
#define STREAM_BUFFER_BYTES 8192   /* libfcgi's, for what it reads */
#define DRAIN_MAX_BYTES (16 << 20) /* more than any front server lets through */
#define RECORD_BYTES 65528         /* the largest multiple of 8 that a record can hold */
#define RECORDS_AT_ONCE 16
#define RECORD_HEADER_BYTES 8

struct gateway {
    bool fastcgi;
    bool served; /* CGI: the one request was handed out */
    bool lost;   /* the client is gone */
    bool body_ended;
    bool written_around; /* this response goes to the socket directly */
    int epoll;
    FCGX_Request request;
    sigset_t signals_while_waiting;
};

static volatile sig_atomic_t asked_to_end;

static void note_end(int signal_number)
{
    (void)signal_number;
    asked_to_end = 1;
}

/* The two signals are blocked except while the worker waits with nothing in its hands. */
static void catch_signals(struct gateway *gateway)
{
    struct sigaction end = {.sa_handler = note_end}, ignore = {.sa_handler = SIG_IGN};
    sigset_t blocked;
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGUSR1, &end, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &gateway->signals_while_waiting);
    sigdelset(&gateway->signals_while_waiting, SIGTERM);
    sigdelset(&gateway->signals_while_waiting, SIGUSR1);
}

/* Several workers share the listening socket: EPOLLEXCLUSIVE wakes one of them, and a socket that
 * does not block lets the others go on waiting. */
static bool watch_socket(struct gateway *gateway)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
    int flags = fcntl(LISTENING_SOCKET, F_GETFL);
    gateway->epoll = epoll_create1(EPOLL_CLOEXEC);
    return gateway->epoll >= 0 && flags >= 0 &&
           fcntl(LISTENING_SOCKET, F_SETFL, flags | O_NONBLOCK) == 0 &&
           epoll_ctl(gateway->epoll, EPOLL_CTL_ADD, LISTENING_SOCKET, &event) == 0;
}

struct gateway *gateway_open(void)
{
    struct gateway *gateway = memory_allocate(sizeof *gateway);
    memset(gateway, 0, sizeof *gateway);
    gateway->fastcgi = !FCGX_IsCGI();
    catch_signals(gateway);
    if (!gateway->fastcgi)
        return gateway;
    if (FCGX_Init() != 0 ||
        FCGX_InitRequest(&gateway->request, LISTENING_SOCKET, FCGI_FAIL_ACCEPT_ON_INTR) != 0 ||
        !watch_socket(gateway)) {
        log_line("cannot use the listening socket on standard input: %s", strerror(errno));
        free(gateway);
        return NULL;
    }
    catch_signals(gateway); /* FCGX_Init has handlers of its own */
    return gateway;
}

/* A signal comes through only while the worker waits. Where the next request is always there
 * already, it never does, and this sees it. */
static bool look_for_signals(void)
{
    sigset_t pending;
    if (sigpending(&pending) == 0 &&
        (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGUSR1) == 1))
        asked_to_end = 1;
    return asked_to_end;
}

/* A new connection, or -1 when the worker is asked to end. The signal may come together with a
 * connection that woke this worker and no other: hence one more look at the end. */
static int wait_for_connection(struct gateway *gateway)
{
    if (asked_to_end)
        return -1;
    for (;;) {
        struct epoll_event event;
        int connection = accept4(LISTENING_SOCKET, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0 || asked_to_end)
            return connection;
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            log_line("cannot accept a connection: %s", strerror(errno));
            poll(NULL, 0, 100); /* out of file descriptors: do not spin */
            if (look_for_signals())
                return -1;
        }
        epoll_pwait(gateway->epoll, &event, 1, -1, &gateway->signals_while_waiting);
    }
}

/* True when a connection that the front server keeps open has its next request. */
static bool wait_for_more(struct gateway *gateway)
{
    struct pollfd connection = {.fd = gateway->request.ipcFd, .events = POLLIN};
    while (!asked_to_end)
        if (ppoll(&connection, 1, NULL, &gateway->signals_while_waiting) > 0)
            return true;
    return poll(&connection, 1, 0) > 0;
}

/* Where the other side has left there is nothing to wait for any more, as libfcgi would. */
static void leave_closed_connection(FCGX_Request *request)
{
    char next;
    if (recv(request->ipcFd, &next, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
        return;
    close(request->ipcFd);
    request->ipcFd = -1;
}

static bool accept_fastcgi(struct gateway *gateway)
{
    FCGX_Request *request = &gateway->request;
    look_for_signals();
    for (;;) {
        if (request->ipcFd >= 0 && !wait_for_more(gateway))
            FCGX_Free(request, 1);
        else if (request->ipcFd >= 0)
            leave_closed_connection(request);
        if (request->ipcFd < 0)
            request->ipcFd = wait_for_connection(gateway);
        if (request->ipcFd < 0)
            return false;
        request->keepConnection = 1; /* or FCGX_Accept_r would close what we accepted */
        if (FCGX_Accept_r(request) == 0)
            return true;
    }
}

bool gateway_accept(struct gateway *gateway)
{
    bool accepted = gateway->fastcgi ? accept_fastcgi(gateway) : !gateway->served;
    gateway->served = true;
    gateway->lost = false;
    gateway->body_ended = false;
    gateway->written_around = false;
    return accepted;
}

const char *gateway_variable(const struct gateway *gateway, const char *name)
{
    return gateway->fastcgi ? FCGX_GetParam(name, gateway->request.envp) : getenv(name);
}

static ssize_t read_standard_input(void *out, size_t capacity)
{
    ssize_t length;
    do
        length = read(STDIN_FILENO, out, capacity);
    while (length < 0 && errno == EINTR);
    return length;
}

ssize_t gateway_read(struct gateway *gateway, void *out, size_t capacity)
{
    ssize_t length;
    if (gateway->body_ended)
        return 0;
    if (gateway->fastcgi) {
        length = FCGX_GetStr(out, (int)capacity, gateway->request.in);
        if (FCGX_GetError(gateway->request.in) != 0)
            length = -1;
    } else {
        length = read_standard_input(out, capacity);
    }
    gateway->body_ended = length <= 0;
    return length;
}

static void write_all(struct gateway *gateway, int file, struct iovec *parts, int count)
{
    while (count > 0 && !gateway->lost) {
        ssize_t written = writev(file, parts, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            gateway->lost = true;
            return;
        }
        while (count > 0 && (size_t)written >= parts->iov_len) {
            written -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + written;
            parts->iov_len -= (size_t)written;
        }
    }
}

/* The header of a FastCGI record of type STDOUT (FastCGI 1.0, section 3.3). */
static void make_record_header(unsigned char *header, int request_id, size_t length)
{
    const unsigned char bytes[RECORD_HEADER_BYTES] = {1,
                                                      FCGI_STDOUT,
                                                      (unsigned char)(request_id >> 8),
                                                      (unsigned char)request_id,
                                                      (unsigned char)(length >> 8),
                                                      (unsigned char)length,
                                                      0,
                                                      0};
    memcpy(header, bytes, sizeof bytes);
}

/* Records on their way, which leave together. */
struct record_batch {
    unsigned char headers[RECORDS_AT_ONCE][RECORD_HEADER_BYTES];
    struct iovec parts[2 * RECORDS_AT_ONCE];
    int count;
};

static void write_batch(struct gateway *gateway, struct record_batch *batch)
{
    write_all(gateway, gateway->request.ipcFd, batch->parts, 2 * batch->count);
    batch->count = 0;
}

static void write_records(struct gateway *gateway, const struct text *pieces, int count)
{
    struct record_batch batch;
    batch.count = 0;
    for (int i = 0; i < count; i++)
        for (size_t done = 0; done < pieces[i].length;) {
            size_t rest = pieces[i].length - done,
                   length = rest < RECORD_BYTES ? rest : RECORD_BYTES;
            unsigned char *header = batch.headers[batch.count];
            make_record_header(header, gateway->request.requestId, length);
            batch.parts[2 * batch.count] = (struct iovec){header, RECORD_HEADER_BYTES};
            batch.parts[2 * batch.count + 1] =
                (struct iovec){(void *)(uintptr_t)(pieces[i].bytes + done), length};
            done += length;
            if (++batch.count == RECORDS_AT_ONCE)
                write_batch(gateway, &batch);
        }
    write_batch(gateway, &batch);
}

static void write_plain(struct gateway *gateway, const struct text *pieces, int count)
{
    struct iovec parts[GATEWAY_PIECES_MAX];
    assert(count <= GATEWAY_PIECES_MAX);
    for (int i = 0; i < count; i++)
        parts[i] = (struct iovec){(void *)(uintptr_t)pieces[i].bytes, pieces[i].length};
    write_all(gateway, STDOUT_FILENO, parts, count);
}

static void write_small(struct gateway *gateway, const struct text *pieces, int count)
{
    for (int i = 0; i < count && !gateway->lost; i++)
        gateway->lost =
            FCGX_PutStr(pieces[i].bytes, (int)pieces[i].length, gateway->request.out) < 0;
}

void gateway_write(struct gateway *gateway, const struct text *pieces, int count)
{
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += pieces[i].length;
    if (gateway->lost)
        return;
    if (!gateway->fastcgi) {
        write_plain(gateway, pieces, count);
    } else if (length <= SMALL_RESPONSE_BYTES && !gateway->written_around) {
        write_small(gateway, pieces, count);
    } else {
        FCGX_FFlush(gateway->request.out); /* what was written small goes first */
        gateway->written_around = true;
        write_records(gateway, pieces, count);
    }
}

/* How the data of a stream begin inside of libfcgi: the buffer that records are read into. */
struct stream_data {
    unsigned char *buffer;
    int capacity;
};

/* Keys come in variables, and in the buffer that these were read from. libfcgi gives both back as
 * they are. A stream that does not look like the one described above is left alone. */
static void wipe_keys(FCGX_Request *request)
{
    struct stream_data data;
    for (char **variable = request->envp; variable && *variable; variable++)
        api_key_wipe(*variable, strlen(*variable));
    memcpy(&data, request->in->data, sizeof data);
    if (data.capacity == STREAM_BUFFER_BYTES && request->in->stop >= data.buffer &&
        request->in->stop <= data.buffer + data.capacity)
        api_key_wipe(data.buffer, STREAM_BUFFER_BYTES);
}

void gateway_abort(struct gateway *gateway)
{
    gateway->lost = true;
    if (gateway->fastcgi) {
        wipe_keys(&gateway->request);
        FCGX_Free(&gateway->request, 1);
    } else {
        _exit(1);
    }
}

bool gateway_is_lost(const struct gateway *gateway)
{
    return gateway->lost;
}

void gateway_drain(struct gateway *gateway)
{
    char rest[8192];
    size_t drained = 0;
    while (drained < DRAIN_MAX_BYTES) {
        ssize_t length = gateway_read(gateway, rest, sizeof rest);
        if (length <= 0)
            return;
        drained += (size_t)length;
    }
}

void gateway_finish(struct gateway *gateway)
{
    if (!gateway->fastcgi || !gateway->request.in)
        return; /* there is nothing to end, or it was broken off */
    gateway_drain(gateway);
    wipe_keys(&gateway->request);
    FCGX_Finish_r(&gateway->request);
}

void gateway_close(struct gateway *gateway)
{
    if (gateway->fastcgi)
        close(gateway->epoll);
    free(gateway);
}
