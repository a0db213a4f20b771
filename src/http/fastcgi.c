/* The FastCGI side of the gateway; gateway.h says what each function promises.
 *
 * libfcgi reads requests and writes small responses. Two things are not left to it: waiting for
 * connections, in which a signal could lose a request, and writing large responses, which it would
 * copy in pieces of 8 KiB, or could not leave to another process. */
#include "http/fastcgi.h"

#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/long_answer.h"

/* Writes a response to a socket or a pipe whose other side may be slow, by one loop for FastCGI and
 * CGI. A worker serves one request at a time: without a time limit, as many stalled readers as
 * there are workers would stop the service. Long answers leave the worker before (long_answer.c).
 */

void output_begin(struct output *output, int file, int64_t wait_ms, uint64_t least_rate)
{
    struct stat status;
    *output = (struct output){.file = file,
                              .wait_ms = wait_ms,
                              .least_rate = least_rate,
                              .started_ms = clock_monotonic_ms()};
    if (fstat(file, &status) == 0 && S_ISFIFO(status.st_mode))
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

static ssize_t write_some(const struct output *output, struct iovec *parts, int count)
{
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    ssize_t written = sendmsg(output->file, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
        written = writev(output->file, parts, count);
    return written;
}

static int64_t time_left_ms(const struct output *output)
{
    if (output->least_rate == 0)
        return output->wait_ms;
    int64_t left_ms = output->started_ms + output->wait_ms +
                      (int64_t)(output->written_bytes / output->least_rate) - clock_monotonic_ms();
    return left_ms < output->wait_ms ? left_ms : output->wait_ms;
}

/* Whether more can be written before the time limit. */
static bool wait_for_reader(const struct output *output)
{
    struct pollfd reader = {.fd = output->file, .events = POLLOUT};
    int64_t left_ms = time_left_ms(output);
    int ready;
    do
        ready = left_ms > 0 ? poll(&reader, 1, (int)left_ms) : 0;
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static void step_over(struct iovec **parts, int *count, size_t written)
{
    while (*count > 0 && written >= (*parts)->iov_len) {
        written -= (*parts)->iov_len;
        (*parts)++;
        (*count)--;
    }
    if (*count > 0) {
        (*parts)->iov_base = (char *)(*parts)->iov_base + written;
        (*parts)->iov_len -= written;
    }
}

bool output_write(struct output *output, struct iovec *parts, int count)
{
    while (count > 0) {
        ssize_t written = write_some(output, parts, count);
        if (written >= 0) {
            output->written_bytes += (uint64_t)written;
            step_over(&parts, &count, (size_t)written);
        } else if (errno == EAGAIN) {
            if (!wait_for_reader(output))
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

size_t output_read_file(int file, uint64_t offset, void *out, size_t capacity)
{
    ssize_t length;
    do
        length = pread(file, out, capacity, (off_t)offset);
    while (length < 0 && errno == EINTR);
    return length > 0 ? (size_t)length : 0;
}

#define LISTENING_SOCKET 0
#define SMALL_RESPONSE_BYTES 4096 /* fits libfcgi's buffer together with the closing records */
#define RECORD_BYTES 65528        /* the largest multiple of 8 that a record can hold */
#define RECORD_HEADER_BYTES 8
/* What a socket takes before anybody reads; Linux doubles the number. */
#define SOCKET_BYTES (256 << 10)

struct fastcgi {
    FCGX_Request request;
    struct output output; /* file 0: this response goes through libfcgi, so far */
    sigset_t while_waiting;
};

/* As the FastCGI specification has it (section 2.2), and FCGX_IsCGI, which sets signal handlers,
 * too. */
bool fastcgi_is_asked_for(void)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    return getpeername(LISTENING_SOCKET, (struct sockaddr *)&peer, &length) != 0 &&
           errno == ENOTCONN;
}

/* Several workers share the socket: what woke all of them is one's to accept. */
static bool make_ready(struct fastcgi *fastcgi)
{
    int flags = fcntl(LISTENING_SOCKET, F_GETFL);
    if (FCGX_Init() != 0 ||
        FCGX_InitRequest(&fastcgi->request, LISTENING_SOCKET, FCGI_FAIL_ACCEPT_ON_INTR) != 0 ||
        flags < 0 || fcntl(LISTENING_SOCKET, F_SETFL, flags | O_NONBLOCK) != 0)
        return false;
    signals_block(&fastcgi->while_waiting);
    return true;
}

struct fastcgi *fastcgi_open(void)
{
    struct fastcgi *fastcgi = memory_allocate(sizeof *fastcgi);
    memset(fastcgi, 0, sizeof *fastcgi);
    if (!make_ready(fastcgi)) {
        log_line("cannot use the listening socket on standard input: %s", strerror(errno));
        free(fastcgi);
        return NULL;
    }
    sender_prepare();
    return fastcgi;
}

static bool has_request(int connection)
{
    char next;
    return recv(connection, &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void note_failure(void)
{
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return;
    log_line("cannot accept a connection: %s", strerror(errno));
    poll(NULL, 0, 100); /* out of file descriptors: do not spin */
}

/* Waits for the next request on the connection that the front server keeps, or for a new one if
 * it keeps none (-1). Signals come only here. -1: the worker is asked to end, and nothing is left
 * on its connection. */
static int next_connection(const struct fastcgi *fastcgi, int kept)
{
    static const struct timespec at_once = {0};
    for (;;) {
        bool ends = signals_look();
        if (ends && kept < 0)
            return -1;
        struct pollfd watched = {.fd = kept < 0 ? LISTENING_SOCKET : kept, .events = POLLIN};
        int ready = ppoll(&watched, 1, ends ? &at_once : NULL, &fastcgi->while_waiting);
        if (kept < 0) {
            int connection = ready > 0 ? accept4(LISTENING_SOCKET, NULL, NULL, SOCK_CLOEXEC) : -1;
            if (connection >= 0)
                return connection;
            if (ready > 0)
                note_failure();
        } else if (ready > 0 && has_request(kept)) {
            return kept;
        } else if (ready > 0 || ends) {
            close(kept);
            kept = -1;
        }
    }
}

bool fastcgi_accept(struct fastcgi *fastcgi)
{
    FCGX_Request *request = &fastcgi->request;
    fastcgi->output.file = 0;
    for (;;) {
        request->ipcFd = next_connection(fastcgi, request->ipcFd);
        if (request->ipcFd < 0)
            return false;
        request->keepConnection = 1; /* or FCGX_Accept_r would close what we accepted */
        if (FCGX_Accept_r(request) == 0)
            return true;
    }
}

const char *fastcgi_variable(const struct fastcgi *fastcgi, const char *name)
{
    return FCGX_GetParam(name, fastcgi->request.envp);
}

ssize_t fastcgi_read(struct fastcgi *fastcgi, void *out, size_t capacity)
{
    int length = FCGX_GetStr(out, (int)capacity, fastcgi->request.in);
    return FCGX_GetError(fastcgi->request.in) != 0 ? -1 : length;
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

static bool write_records(struct fastcgi *fastcgi, const struct text *pieces, int count)
{
    unsigned char header[RECORD_HEADER_BYTES];
    for (int i = 0; i < count; i++)
        for (struct text rest = pieces[i]; rest.length > 0;) {
            size_t length = rest.length < RECORD_BYTES ? rest.length : RECORD_BYTES;
            struct iovec parts[] = {{header, sizeof header},
                                    {(void *)(uintptr_t)rest.bytes, length}};
            make_record_header(header, FCGI_STDOUT, fastcgi->request.requestId, length);
            if (!output_write(&fastcgi->output, parts, 2))
                return false;
            rest = text_skip(rest, length);
        }
    return true;
}

static bool write_small(struct fastcgi *fastcgi, const struct text *pieces, int count)
{
    for (int i = 0; i < count; i++)
        if (FCGX_PutStr(pieces[i].bytes, (int)pieces[i].length, fastcgi->request.out) < 0)
            return false;
    return true;
}

/* Without a larger buffer a worker would wait for the reader of every longer answer. */
static void begin_output(struct output *output, int connection, int64_t wait_ms,
                         uint64_t least_rate)
{
    const int bytes = SOCKET_BYTES;
    setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    output_begin(output, connection, wait_ms, least_rate);
}

bool fastcgi_write(struct fastcgi *fastcgi, const struct text *pieces, int count, int64_t wait_ms)
{
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += pieces[i].length;
    if (length <= SMALL_RESPONSE_BYTES && !fastcgi->output.file)
        return write_small(fastcgi, pieces, count);
    if (!fastcgi->output.file) {
        FCGX_FFlush(fastcgi->request.out); /* what was written small goes first */
        begin_output(&fastcgi->output, fastcgi->request.ipcFd, wait_ms, OUTPUT_LEAST_BYTES_PER_MS);
    }
    return write_records(fastcgi, pieces, count);
}

#define END_BYTES (3 * RECORD_HEADER_BYTES)

/* The end of the stream, and the record END_REQUEST, which has a body (section 5.5): no status,
 * FCGI_REQUEST_COMPLETE. */
static void make_end(unsigned char end[END_BYTES], int request_id)
{
    memset(end, 0, END_BYTES);
    make_record_header(end, FCGI_STDOUT, request_id, 0);
    make_record_header(end + RECORD_HEADER_BYTES, FCGI_END_REQUEST, request_id,
                       RECORD_HEADER_BYTES);
}

void fastcgi_answer_at_once(const struct fastcgi *fastcgi, struct text response)
{
    unsigned char start[RECORD_HEADER_BYTES], end[END_BYTES];
    int request_id = fastcgi->request.requestId;
    make_record_header(start, FCGI_STDOUT, request_id, response.length);
    make_end(end, request_id);
    struct iovec parts[] = {{start, sizeof start},
                            {(void *)(uintptr_t)response.bytes, response.length},
                            {end, sizeof end}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
    sendmsg(fastcgi->request.ipcFd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* libfcgi frees its copies of the variables, with keys among them, as they are. */
static void wipe_variables(FCGX_Request *request)
{
    for (char **variable = request->envp; variable && *variable; variable++)
        explicit_bzero(*variable, strlen(*variable));
}

/* Without a word to the other side. */
static void end_request(struct fastcgi *fastcgi)
{
    FCGX_Request *request = &fastcgi->request;
    close(request->ipcFd);
    wipe_variables(request);
    FCGX_Free(request, 0);
    request->ipcFd = -1;
}

/* What the process that sends a file needs to know; it has no heap. */
struct rest {
    int request_id;
    uint64_t length; /* of the file */
    int64_t wait_ms;
};

static bool send_file(struct output *output, int file, const struct rest *rest)
{
    unsigned char record[RECORD_HEADER_BYTES + RECORD_BYTES];
    for (uint64_t done = 0; done < rest->length;) {
        size_t length = output_read_file(file, done, record + RECORD_HEADER_BYTES, RECORD_BYTES);
        struct iovec part = {record, RECORD_HEADER_BYTES + length};
        make_record_header(record, FCGI_STDOUT, rest->request_id, length);
        if (length == 0 || !output_write(output, &part, 1))
            return false;
        done += length;
    }
    return true;
}

/* An answer that is not complete ends without the end of the request, so that the front server
 * notices. */
static void send_rest(const struct sending *sending, const void *context)
{
    struct rest rest = *(const struct rest *)context;
    struct output output;
    begin_output(&output, sending->connection, rest.wait_ms, 0);
    unsigned char end[END_BYTES];
    struct iovec part = {end, sizeof end};
    make_end(end, rest.request_id);
    if (send_file(&output, sending->file, &rest))
        output_write(&output, &part, 1);
}

bool fastcgi_hand_over(struct fastcgi *fastcgi, int file, uint64_t length, int slot,
                       int64_t wait_ms)
{
    FCGX_Request *request = &fastcgi->request;
    const struct rest rest = {request->requestId, length, wait_ms};
    const struct sending sending = {request->ipcFd, file, slot, send_rest};
    FCGX_FFlush(request->out);
    if (!sender_start(&sending, &rest))
        return false;
    end_request(fastcgi);
    return true;
}

bool fastcgi_is_serving(const struct fastcgi *fastcgi)
{
    return fastcgi->request.in != NULL;
}

void fastcgi_finish(struct fastcgi *fastcgi)
{
    FCGX_Request *request = &fastcgi->request;
    wipe_variables(request);
    bool keep = request->keepConnection != 0;
    request->keepConnection = 1; /* or libfcgi would wait up to two seconds for the other side */
    FCGX_Finish_r(request);
    if (!keep) {
        close(request->ipcFd);
        request->ipcFd = -1;
    }
}

void fastcgi_abort(struct fastcgi *fastcgi)
{
    FCGX_Request *request = &fastcgi->request;
    shutdown(request->ipcFd, SHUT_RDWR);
    end_request(fastcgi);
}

void fastcgi_close(struct fastcgi *fastcgi)
{
    free(fastcgi);
}

/* -- Signals ----------------------------------------------------------------------------------- */

/* Blocks the signals by which a worker is asked to end, and remembers that one has come. A request
 * is never interrupted: the code that waits for the next one looks here, and decides what the
 * worker does then. */

static volatile sig_atomic_t asked_to_end;

static void note_end(int signal_number)
{
    (void)signal_number;
    asked_to_end = 1;
}

void signals_block(sigset_t *while_waiting)
{
    struct sigaction end = {.sa_handler = note_end}, ignore = {.sa_handler = SIG_IGN};
    sigset_t blocked;
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGUSR1, &end, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, while_waiting);
    sigdelset(while_waiting, SIGTERM);
    sigdelset(while_waiting, SIGUSR1);
}

bool signals_look(void)
{
    sigset_t pending;
    if (sigpending(&pending) == 0 &&
        (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGUSR1) == 1))
        asked_to_end = 1;
    return asked_to_end;
}
