/* Requests over FastCGI 1.0 from a listening socket on standard input, by libfcgi; and how
 * any response is written, over CGI as well. */
#ifndef QSOSYNC_HTTP_FASTCGI_H
#define QSOSYNC_HTTP_FASTCGI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/text.h"

/* A response on its way to a socket or a pipe whose other side may read slowly, or not at all. */

/* For writers that others wait for: who reads more slowly than this, after the wait, is given up.
 */
#define OUTPUT_LEAST_BYTES_PER_MS 16

struct output {
    int file;
    int64_t wait_ms;     /* how long the other side may accept no byte */
    uint64_t least_rate; /* how many bytes a millisecond it has to accept besides; 0: any number */
    int64_t started_ms;
    uint64_t written_bytes;
};

/* Begins a response. A pipe is switched to not blocking. */
void output_begin(struct output *output, int file, int64_t wait_ms, uint64_t least_rate);

/* Writes every part; the array is changed. Returns false, with the rest unwritten, when the other
 * side is gone, takes nothing for wait_ms, or has taken less than the least rate since then. */
bool output_write(struct output *output, struct iovec *parts, int count);

/* Reads the next bytes of a file, as many as there are up to capacity. Returns their number; 0 when
 * the file ended before, or cannot be read. */
size_t output_read_file(int file, uint64_t offset, void *out, size_t capacity);

struct fastcgi;

/* True if standard input is a socket without a peer, as a listening one is. */
bool fastcgi_is_asked_for(void);

/* NULL, after a line in the log, when the socket cannot be used. */
struct fastcgi *fastcgi_open(void);

/* Waits for the next request; false when the worker is asked to end. */
bool fastcgi_accept(struct fastcgi *fastcgi);

const char *fastcgi_variable(const struct fastcgi *fastcgi, const char *name);
ssize_t fastcgi_read(struct fastcgi *fastcgi, void *out, size_t capacity);
bool fastcgi_write(struct fastcgi *fastcgi, const struct text *pieces, int count, int64_t wait_ms);

void fastcgi_answer_at_once(const struct fastcgi *fastcgi, struct text response);

/* Sends the file as the rest of the response and ends the request, in a process of its own, which
 * holds the slot (-1: there is none) as long as it needs; this process has no request any more.
 * False if no process can be started: nothing was sent, and the request is still there. */
bool fastcgi_hand_over(struct fastcgi *fastcgi, int file, uint64_t length, int slot,
                       int64_t wait_ms);

/* Whether a request is there that was not ended or broken off. */
bool fastcgi_is_serving(const struct fastcgi *fastcgi);

/* Ends the request, or breaks its connection off. */
void fastcgi_finish(struct fastcgi *fastcgi);
void fastcgi_abort(struct fastcgi *fastcgi);

void fastcgi_close(struct fastcgi *fastcgi);

/* How a worker is asked to end: SIGTERM (nginx's supervisors, Apache) or SIGUSR1 (multiwatch). A
 * signal never interrupts a request. */

/* Blocks both signals and ignores SIGPIPE. *while_waiting becomes the mask to wait with (ppoll):
 * the two signals come through only then. */
void signals_block(sigset_t *while_waiting);

/* True once a signal has come. Looks for a blocked one, too: a signal comes through only while the
 * worker waits, which a worker that always has a next request never does. */
bool signals_look(void);

#endif
