/* The front server's side of a request, with the same functions for CGI and FastCGI.
 *
 * A program has one current request at a time. Other requests can be put aside, unanswered, until
 * their turn. */
#ifndef QSOSYNC_HTTP_GATEWAY_H
#define QSOSYNC_HTTP_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct gateway;

/* Examines standard input. If standard input is a listening socket, the program is a FastCGI
 * worker; otherwise, it is a CGI program that serves one request. Returns NULL, after a line in the
 * log, if the listening socket cannot be used. */
struct gateway *gateway_open(void);

/* Returns whether this is a CGI program. */
bool gateway_is_cgi(const struct gateway *gateway);

enum gateway_event {
    GATEWAY_REQUEST,
    GATEWAY_QUIET, /* no request has arrived in time */
    /* no more requests follow: the only request of a CGI program was accepted, or SIGTERM or
     * SIGUSR1 arrived */
    GATEWAY_ENDED,
};

/* Waits for the next request, for at most wait_ms (-1: without a limit). A signal never interrupts
 * a request. */
enum gateway_event gateway_accept(struct gateway *gateway, int wait_ms);

#define GATEWAY_PLACES 65 /* all places except one can contain a request that was put aside */

/* Put the current request aside before any part of its answer is sent, and make it the current
 * request again. The part of the body that was already read is then read again. gateway_put_aside
 * returns the number of the request's place, or -1 if no place is free. */
int gateway_put_aside(struct gateway *gateway, struct text body);
void gateway_take_up(struct gateway *gateway, int place);

/* Returns a number that identifies the socket on which the worker listens, perhaps with other
 * workers. Returns 0 for a CGI program. */
uint64_t gateway_socket(const struct gateway *gateway);

/* Returns a variable of the request (CGI/1.1, RFC 3875), valid until the request ends; NULL if the
 * variable is absent. */
const char *gateway_variable(const struct gateway *gateway, const char *name);

/* Reads from the request's body. Returns the number of bytes; 0 at the end of the body; -1 if the
 * client has disconnected. */
ssize_t gateway_read(struct gateway *gateway, void *out, size_t capacity);

/* Sets the time after which the other side counts as disconnected if it accepts no byte. A worker
 * waits at most ten seconds, because other requests wait for the worker. */
void gateway_set_send_wait(struct gateway *gateway, int64_t wait_ms);

/* Sends the next part of the response, in a few pieces. If the client has disconnected or reads too
 * slowly (http/output.h), the bytes are discarded. */
void gateway_write(struct gateway *gateway, const struct text *pieces, int count);

/* Sends a whole short response and ends the request. Call this function only if nothing has been
 * sent so far, and end the process afterwards. A signal handler can call this function, whatever
 * the signal has interrupted. */
void gateway_send_immediately(const struct gateway *gateway, struct text response);

/* Sends the file as the rest of the response. A worker starts a separate process, which sends the
 * file and ends the request. That process keeps the slot open (long_answer.h; -1: no slot). */
void gateway_send_file(struct gateway *gateway, int file, uint64_t length, int slot);

/* Reads and discards the rest of the body. Call this function before the response is sent, because
 * a front server that is still sending the body would not read the response. */
void gateway_drain(struct gateway *gateway);

/* Ends the request. */
void gateway_finish(struct gateway *gateway);

#endif
