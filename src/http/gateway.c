/* The front server's side of a request, using FastCGI or CGI, depending on how the worker is
 * started. Detects whether the client is still connected and whether the body has ended. request.c
 * interprets the variables and the body.
 *
 * libfcgi reads requests and writes small responses, but two tasks are done here. While libfcgi
 * waits for connections, a signal could make it lose a request. It would copy large responses in
 * pieces of 8 KiB, and could not leave them to another process. With CGI, variables come from the
 * environment, the body comes from standard input, and the response goes to standard output (RFC
 * 3875). */
#include "http/gateway.h"

#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/log.h"
#include "http/output.h"

#define LISTENING_SOCKET 0
#define SMALL_RESPONSE_BYTES 4096 /* fits libfcgi's buffer together with the closing records */
#define RECORD_BYTES 65528        /* the largest multiple of 8 that fits a record */
#define RECORD_HEADER_BYTES 8
/* The bytes that a socket accepts before anybody reads; Linux doubles the number. */
#define SOCKET_BYTES (256 << 10)
#define DRAIN_MAX_BYTES (16 << 20) /* more than any front server accepts */
#define WORKER_WAIT_MS 10000
#define FILES_MAX 4096 /* more files than a worker ever has open */

/* A connection, and the request on it. */
struct place {
    FCGX_Request request;
    bool is_aside;
    struct buffer body; /* read before the request was put aside */
    size_t body_done;   /* bytes of it that were read again */
};

struct gateway {
    bool is_cgi;
    bool served; /* CGI: the one request was accepted */
    bool lost;   /* the client has disconnected */
    bool body_ended;
    int64_t send_wait_ms;
    struct place places[GATEWAY_PLACES], *place; /* place of the present request */
    struct output output; /* file 0: so far, this response goes through libfcgi */
    uintptr_t heap_begin;
    int signals; /* readable once the worker is asked to end */
};

/* -- Requests ---------------------------------------------------------------------------------- */

bool gateway_is_cgi(const struct gateway *gateway)
{
    return gateway->is_cgi;
}

static void note_failure(void)
{
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return;
    log_line("cannot accept a connection: %s", strerror(errno));
    poll(NULL, 0, 100); /* out of file descriptors: do not spin */
}

/* Lists the connections that the front server keeps without a request, or the listening socket if
 * it keeps none. Returns how many are listed. */
static nfds_t list_connections(const struct gateway *gateway, struct pollfd *watched)
{
    nfds_t count = 0;
    for (const struct place *place = gateway->places; place < gateway->places + GATEWAY_PLACES;
         place++)
        if (!place->is_aside && place->request.ipcFd >= 0)
            watched[count++] = (struct pollfd){.fd = place->request.ipcFd, .events = POLLIN};
    if (count == 0)
        watched[count++] = (struct pollfd){.fd = LISTENING_SOCKET, .events = POLLIN};
    return count;
}

/* The place whose connection has a request. A connection that the front server has closed ends, and
 * so do all without a request if the worker is asked to end. */
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
    place->request.ipcFd = accept4(LISTENING_SOCKET, NULL, NULL, SOCK_CLOEXEC);
    if (place->request.ipcFd >= 0)
        return place;
    note_failure();
    return NULL;
}

/* Waits for the next request, on a connection that the front server keeps or on a new one. */
static enum gateway_event next_connection(struct gateway *gateway, int wait_ms)
{
    struct pollfd watched[1 + GATEWAY_PLACES] = {{.fd = gateway->signals, .events = POLLIN}};
    gateway->place = NULL;
    while (!gateway->place) {
        const nfds_t count = list_connections(gateway, watched + 1);
        const bool keeps_none = watched[1].fd == LISTENING_SOCKET;
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

/* A CGI program receives only the time. */
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
        request->keepConnection = 1; /* otherwise FCGX_Accept_r would close our connection */
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
    return gateway->is_cgi || fstat(LISTENING_SOCKET, &status) != 0 ? 0 : status.st_ino;
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

/* -- Responses --------------------------------------------------------------------------------- */

void gateway_set_send_wait(struct gateway *gateway, int64_t wait_ms)
{
    gateway->send_wait_ms = wait_ms;
}

/* The header of a FastCGI record (FastCGI 1.0, section 3.3). */
static void make_record_header(unsigned char *header, unsigned char type, int request_id,
                               size_t length)
{
    const FCGI_Header made = {.version = FCGI_VERSION_1,
                              .type = type,
                              .requestIdB1 = (unsigned char)(request_id >> 8),
                              .requestIdB0 = (unsigned char)request_id,
                              .contentLengthB1 = (unsigned char)(length >> 8),
                              .contentLengthB0 = (unsigned char)length};
    _Static_assert(sizeof made == RECORD_HEADER_BYTES, "all of it are bytes");
    memcpy(header, &made, sizeof made);
}

/* FastCGI uses records; CGI has no record headers. */
static bool write_pieces(struct gateway *gateway, const struct text *pieces, int count)
{
    unsigned char header[RECORD_HEADER_BYTES];
    for (int i = 0; i < count; i++)
        for (struct text rest = pieces[i]; rest.length > 0;) {
            size_t length = MIN(rest.length, RECORD_BYTES);
            const struct text head = {(char *)header, gateway->is_cgi ? 0 : sizeof header};
            make_record_header(header, FCGI_STDOUT, gateway->place->request.requestId, length);
            if (!output_write(&gateway->output, head, (struct text){rest.bytes, length}))
                return false;
            rest = text_skip(rest, length);
        }
    return true;
}

static bool write_small(struct gateway *gateway, const struct text *pieces, int count)
{
    for (int i = 0; i < count; i++)
        if (FCGX_PutStr(pieces[i].bytes, (int)pieces[i].length, gateway->place->request.out) < 0)
            return false;
    return true;
}

/* With a smaller buffer, a worker would wait for the reader of every longer answer. */
static void begin_output(struct gateway *gateway, int64_t wait_ms, uint64_t least_rate)
{
    const int connection = gateway->place->request.ipcFd, bytes = SOCKET_BYTES;
    setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    output_begin(&gateway->output, connection, wait_ms, least_rate);
}

static bool write_now(struct gateway *gateway, const struct text *pieces, int count)
{
    const int64_t wait_ms = gateway->send_wait_ms;
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += pieces[i].length;
    if (!gateway->output.file && gateway->is_cgi) {
        output_begin(&gateway->output, STDOUT_FILENO, wait_ms, 0); /* nobody else waits for it */
    } else if (!gateway->output.file) {
        if (length <= SMALL_RESPONSE_BYTES)
            return write_small(gateway, pieces, count);
        FCGX_FFlush(gateway->place->request.out); /* small writes are sent first */
        begin_output(gateway, MIN(wait_ms, WORKER_WAIT_MS), OUTPUT_LEAST_BYTES_PER_MS);
    }
    return write_pieces(gateway, pieces, count);
}

void gateway_write(struct gateway *gateway, const struct text *pieces, int count)
{
    if (!gateway->lost)
        gateway->lost = !write_now(gateway, pieces, count);
}

#define END_BYTES (3 * RECORD_HEADER_BYTES)

/* The end of the stream, and the record END_REQUEST with its body (section 5.5): no status,
 * FCGI_REQUEST_COMPLETE. */
static void make_end(unsigned char end[END_BYTES], int request_id)
{
    memset(end, 0, END_BYTES);
    make_record_header(end, FCGI_STDOUT, request_id, 0);
    make_record_header(end + RECORD_HEADER_BYTES, FCGI_END_REQUEST, request_id,
                       RECORD_HEADER_BYTES);
}

void gateway_send_immediately(const struct gateway *gateway, struct text response)
{
    unsigned char start[RECORD_HEADER_BYTES], end[END_BYTES];
    const int request_id = gateway->place->request.requestId;
    make_record_header(start, FCGI_STDOUT, request_id, response.length);
    make_end(end, request_id);
    struct iovec parts[] = {{start, sizeof start},
                            {(void *)(uintptr_t)response.bytes, response.length},
                            {end, sizeof end}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
    if (gateway->is_cgi)
        while (write(STDOUT_FILENO, response.bytes, response.length) < 0 && errno == EINTR) {
        }
    else
        sendmsg(gateway->place->request.ipcFd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* libfcgi frees its copies of the variables, including keys, without wiping them. */
static void wipe_variables(FCGX_Request *request)
{
    for (char **variable = request->envp; variable && *variable; variable++)
        explicit_bzero(*variable, strlen(*variable));
}

/* Closes the connection without notifying the other side. */
static void end_request(struct gateway *gateway)
{
    FCGX_Request *request = &gateway->place->request;
    close(request->ipcFd);
    wipe_variables(request);
    FCGX_Free(request, 0);
    request->ipcFd = -1;
}

/* Writes a file piece by piece, as the rest of the response. */
static void write_file(struct gateway *gateway, int file, uint64_t length)
{
    char bytes[RECORD_BYTES];
    for (uint64_t done = 0; done < length && !gateway->lost;) {
        const ssize_t piece = pread(file, bytes, sizeof bytes, (off_t)done);
        if (piece > 0)
            gateway_write(gateway, &(struct text){bytes, (size_t)piece}, 1);
        gateway->lost = gateway->lost || piece <= 0;
        done += (uint64_t)piece;
    }
}

/* -- The process that sends a file ------------------------------------------------------------- */

static uintptr_t heap_end(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return ((uintptr_t)sbrk(0) + page - 1) / page * page;
}

/* The kernel keeps the worker's memory at the time of the fork until this process ends, so the
 * process releases it at once. It also closes the listening socket: after the worker has ended,
 * connections to it would never be accepted. */
static void keep_alone(const struct gateway *gateway, int file, int slot)
{
    const uintptr_t end = heap_end();
    prctl(PR_SET_NAME, "qsosync answer");
    for (int other = 0; other < FILES_MAX; other++)
        if (other != STDERR_FILENO && other != gateway->place->request.ipcFd && other != file &&
            other != slot)
            close(other);
    if (gateway->heap_begin < end)
        madvise((void *)gateway->heap_begin, end - gateway->heap_begin, MADV_DONTNEED);
}

/* An incomplete answer omits the end of the request, so that the front server notices. */
static _Noreturn void send_alone(struct gateway *gateway, int file, uint64_t length, int slot)
{
    unsigned char end[END_BYTES];
    keep_alone(gateway, file, slot);
    begin_output(gateway, gateway->send_wait_ms, 0);
    write_file(gateway, file, length);
    make_end(end, gateway->place->request.requestId);
    if (!gateway->lost)
        output_write(&gateway->output, (struct text){(char *)end, sizeof end}, (struct text){0});
    _exit(0);
}

/* Uses fork without exec: the sandbox forbids starting a program, which would also take longer. The
 * process blocks the signals that ask a worker to end, so it sends the whole answer even if the
 * worker is replaced. */
void gateway_send_file(struct gateway *gateway, int file, uint64_t length, int slot)
{
    pid_t pid = -1;
    if (!gateway->is_cgi && !gateway->lost) {
        FCGX_FFlush(gateway->place->request.out);
        pid = fork();
    }
    if (pid == 0)
        send_alone(gateway, file, length, slot);
    if (pid > 0)
        end_request(gateway);
    else
        write_file(gateway, file, length);
}

/* -- The end ----------------------------------------------------------------------------------- */

/* A regular end would wait for a client that has disconnected. */
void gateway_finish(struct gateway *gateway)
{
    FCGX_Request *request = &gateway->place->request;
    buffer_free(&gateway->place->body);
    gateway->place->body_done = 0;
    if (gateway->is_cgi || !request->in)
        return;
    if (gateway->lost) {
        shutdown(request->ipcFd, SHUT_RDWR);
        end_request(gateway);
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

/* -- The beginning of a worker ----------------------------------------------------------------- */

/* SIGTERM (nginx's supervisors, Apache) or SIGUSR1 (multiwatch) asks a worker to end. Both are
 * blocked, so that they never interrupt a request. The code that waits for the next request also
 * waits for this file, and then decides how the worker ends. */
static int open_signals(void)
{
    sigset_t ends;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL); /* ignored signals would not be delivered */
    signal(SIGUSR1, SIG_DFL);
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGUSR1);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    return signalfd(-1, &ends, SFD_CLOEXEC);
}

static bool open_places(struct gateway *gateway)
{
    gateway->place = gateway->places;
    for (int i = 0; !gateway->is_cgi && i < GATEWAY_PLACES; i++)
        if (FCGX_InitRequest(&gateway->places[i].request, LISTENING_SOCKET,
                             FCGI_FAIL_ACCEPT_ON_INTR) != 0)
            return false;
    return true;
}

/* libfcgi first sets its own handlers. The gateway is not on the heap, because processes that send
 * files have no heap. Several workers share the socket: a connection wakes all of them, and one
 * accepts it. */
struct gateway *gateway_open(void)
{
    static struct gateway gateway;
    const struct sigaction no_trace = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    gateway.is_cgi = FCGX_IsCGI();
    gateway.signals = open_signals();
    const bool is_open = open_places(&gateway);
    if (gateway.is_cgi)
        return &gateway;
    const int flags = fcntl(LISTENING_SOCKET, F_GETFL);
    if (!is_open || gateway.signals < 0 || flags < 0 ||
        fcntl(LISTENING_SOCKET, F_SETFL, flags | O_NONBLOCK) != 0) {
        log_line("cannot use the listening socket on standard input: %s", strerror(errno));
        return NULL;
    }
    sigaction(SIGCHLD, &no_trace, NULL); /* sent when a process that sends a file ends */
    gateway.heap_begin = heap_end();     /* before the worker allocates much */
    return &gateway;
}
