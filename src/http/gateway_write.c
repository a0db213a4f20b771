/* Writes responses: small responses with libfcgi, and large responses directly as FastCGI records,
 * because libfcgi would copy them in pieces of 8 KiB. With CGI, the response is written to standard
 * output (RFC 3875). */
#include "http/gateway.h"

#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <stdint.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "http/gateway_state.h"
#include "http/output.h"
#include "http/record.h"

/* The maximum size of a response that is sent with libfcgi. Such a response fits into libfcgi's
 * buffer together with the closing records. */
#define SMALL_RESPONSE_BYTES 4096

/* The number of bytes that a socket accepts before anybody reads. Linux doubles this number. */
#define SOCKET_BYTES (256 << 10)
#define WORKER_WAIT_MS 10000

void gateway_set_send_wait(struct gateway *gateway, int64_t wait_ms)
{
    gateway->send_wait_ms = wait_ms;
}

/* Writes the pieces as FastCGI records; with CGI, without record headers. */
static bool write_pieces(struct gateway *gateway, const struct text *pieces, int count)
{
    unsigned char header[RECORD_HEADER_BYTES];
    for (int i = 0; i < count; i++)
        for (struct text rest = pieces[i]; rest.length > 0;) {
            size_t length = MIN(rest.length, RECORD_CONTENT_MAX);
            const struct text head = {(char *)header, gateway->is_cgi ? 0 : sizeof header};
            record_write_header(header, FCGI_STDOUT, gateway->place->request.requestId, length);
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

/* Begins to write directly to the connection. Enlarges the socket's buffer, because a worker would
 * otherwise wait for the reader of every answer that exceeds the default size. */
void gateway_begin_output(struct gateway *gateway, int64_t wait_ms, uint64_t least_rate)
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
        /* No other request waits for this process. */
        output_begin(&gateway->output, STDOUT_FILENO, wait_ms, 0);
    } else if (!gateway->output.file) {
        if (length <= SMALL_RESPONSE_BYTES)
            return write_small(gateway, pieces, count);
        FCGX_FFlush(gateway->place->request.out); /* sends the small writes first */
        gateway_begin_output(gateway, MIN(wait_ms, WORKER_WAIT_MS), OUTPUT_LEAST_BYTES_PER_MS);
    }
    return write_pieces(gateway, pieces, count);
}

void gateway_write(struct gateway *gateway, const struct text *pieces, int count)
{
    if (!gateway->lost)
        gateway->lost = !write_now(gateway, pieces, count);
}

void gateway_send_immediately(const struct gateway *gateway, struct text response)
{
    unsigned char start[RECORD_HEADER_BYTES], end[RECORD_END_BYTES];
    const int request_id = gateway->place->request.requestId;
    record_write_header(start, FCGI_STDOUT, request_id, response.length);
    record_write_end(end, request_id);
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
