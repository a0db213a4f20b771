/* The state of the gateway, and functions that the gateway's files share. */
#ifndef QSOSYNC_HTTP_GATEWAY_STATE_H
#define QSOSYNC_HTTP_GATEWAY_STATE_H

#include <fcgiapp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "http/gateway.h"
#include "http/output.h"

#define GATEWAY_LISTENING_SOCKET 0

/* A connection, and the request on it. */
struct place {
    FCGX_Request request;
    bool is_aside;
    struct buffer body; /* the part of the body that was read before the request was put aside */
    size_t body_done;   /* number of bytes of `body` that have been read again */
};

struct gateway {
    bool is_cgi;
    bool served; /* CGI: whether the request was accepted */
    bool lost;   /* whether the client has disconnected */
    bool body_ended;
    int64_t send_wait_ms;
    struct place places[GATEWAY_PLACES], *place; /* `place` is the place of the current request */
    struct output output; /* output.file is 0 while libfcgi still sends the response */
    uintptr_t heap_begin;
    int signals; /* a file that is readable after a signal to end the worker */
};

/* Closes the connection in this process without sending the end of the request, and wipes the
 * variables. */
void gateway_end_request(struct gateway *gateway);

/* Begins to send the rest of the response directly to the connection. The client counts as
 * disconnected if it accepts no byte for wait_ms, or accepts fewer than `least_rate` bytes per
 * millisecond after wait_ms. */
void gateway_begin_output(struct gateway *gateway, int64_t wait_ms, uint64_t least_rate);

/* Returns the end of the heap, rounded up to a page. */
uintptr_t gateway_heap_end(void);

#endif
