/* Chooses between FastCGI and CGI when a worker starts, and keeps what is the same for both:
 * whether the client is still there and whether its body has ended. What the variables and the body
 * mean is left to request.c. */
#include "http/gateway.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "http/fastcgi.h"

/* The CGI side of the gateway: variables come from the environment, the body from standard input,
 * and the response goes to standard output (RFC 3875). gateway.h says what each function promises;
 * no other file knows which of the two sides is used. */

#define PIECES_MAX 8

/* As the functions of gateway.h. */
static ssize_t cgi_read(void *out, size_t capacity)
{
    ssize_t length;
    do
        length = read(STDIN_FILENO, out, capacity);
    while (length < 0 && errno == EINTR);
    return length;
}

static bool cgi_write(const struct text *pieces, int count, int64_t wait_ms)
{
    static struct output output; /* of the one request */
    struct iovec parts[PIECES_MAX];
    assert(count <= PIECES_MAX);
    for (int i = 0; i < count; i++)
        parts[i] = (struct iovec){(void *)(uintptr_t)pieces[i].bytes, pieces[i].length};
    if (!output.file)
        output_begin(&output, STDOUT_FILENO, wait_ms, 0); /* nobody else waits for it */
    return output_write(&output, parts, count);
}

#define DRAIN_MAX_BYTES (16 << 20) /* more than any front server lets through */
#define PIECE_BYTES (64 << 10)
#define WORKER_WAIT_MS 10000

struct gateway {
    struct fastcgi *fastcgi; /* NULL: CGI */
    bool served;             /* CGI: the one request was accepted */
    bool lost;               /* the client is gone */
    bool body_ended;
    int64_t send_wait_ms;
};

struct gateway *gateway_open(void)
{
    struct gateway *gateway = memory_allocate(sizeof *gateway);
    sigset_t while_waiting;
    memset(gateway, 0, sizeof *gateway);
    signals_block(&while_waiting);
    if (!fastcgi_is_asked_for())
        return gateway;
    gateway->fastcgi = fastcgi_open();
    if (!gateway->fastcgi) {
        free(gateway);
        return NULL;
    }
    return gateway;
}

bool gateway_serves_one(const struct gateway *gateway)
{
    return !gateway->fastcgi;
}

bool gateway_accept(struct gateway *gateway)
{
    bool accepted = gateway->fastcgi ? fastcgi_accept(gateway->fastcgi) : !gateway->served;
    gateway->served = true;
    gateway->lost = false;
    gateway->body_ended = false;
    return accepted;
}

const char *gateway_variable(const struct gateway *gateway, const char *name)
{
    return gateway->fastcgi ? fastcgi_variable(gateway->fastcgi, name) : getenv(name);
}

ssize_t gateway_read(struct gateway *gateway, void *out, size_t capacity)
{
    if (gateway->body_ended)
        return 0;
    ssize_t length =
        gateway->fastcgi ? fastcgi_read(gateway->fastcgi, out, capacity) : cgi_read(out, capacity);
    gateway->body_ended = length <= 0;
    return length;
}

void gateway_set_send_wait(struct gateway *gateway, int64_t wait_ms)
{
    gateway->send_wait_ms = wait_ms;
}

static bool write_now(struct gateway *gateway, const struct text *pieces, int count)
{
    int64_t wait_ms = gateway->send_wait_ms;
    if (!gateway->fastcgi)
        return cgi_write(pieces, count, wait_ms);
    return fastcgi_write(gateway->fastcgi, pieces, count,
                         wait_ms < WORKER_WAIT_MS ? wait_ms : WORKER_WAIT_MS);
}

void gateway_write(struct gateway *gateway, const struct text *pieces, int count)
{
    if (!gateway->lost)
        gateway->lost = !write_now(gateway, pieces, count);
}

void gateway_answer_at_once(const struct gateway *gateway, struct text response)
{
    if (gateway->fastcgi)
        fastcgi_answer_at_once(gateway->fastcgi, response);
    else
        while (write(STDOUT_FILENO, response.bytes, response.length) < 0 && errno == EINTR) {
        }
}

void gateway_send_file(struct gateway *gateway, int file, uint64_t length, int slot)
{
    char bytes[PIECE_BYTES];
    if (gateway->lost || (gateway->fastcgi && fastcgi_hand_over(gateway->fastcgi, file, length,
                                                                slot, gateway->send_wait_ms)))
        return;
    for (uint64_t done = 0; done < length && !gateway->lost;) {
        size_t piece = output_read_file(file, done, bytes, sizeof bytes);
        gateway_write(gateway, &(struct text){bytes, piece}, 1);
        gateway->lost = gateway->lost || piece == 0;
        done += piece;
    }
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
    if (!gateway->fastcgi || !fastcgi_is_serving(gateway->fastcgi))
        return;
    if (gateway->lost) {
        fastcgi_abort(gateway->fastcgi); /* a regular end would wait for the client again */
        return;
    }
    gateway_drain(gateway);
    fastcgi_finish(gateway->fastcgi);
}

void gateway_close(struct gateway *gateway)
{
    if (gateway->fastcgi)
        fastcgi_close(gateway->fastcgi);
    free(gateway);
}
