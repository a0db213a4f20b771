/* A response on its way to the front server. */
#ifndef QSOSYNC_WORKER_RESPONSE_H
#define QSOSYNC_WORKER_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fault.h"
#include "worker/gateway.h"

struct response {
    struct gateway *gateway;
    struct buffer head; /* header lines so far, without the status */
    struct buffer body; /* what handlers append to */
    bool head_only;     /* HEAD: everything but the body */
    bool cacheable;     /* the handler says itself how long the answer keeps */
    bool sent;          /* the head is out; nothing more can be changed */
};

/* Empties it for the next request and keeps its memory. */
void response_reset(struct response *response, struct gateway *gateway, bool head_only);

/* Gives back memory that one large answer took. */
void response_release(struct response *response);

/* Gives back everything. */
void response_free(struct response *response);

void response_add_header(struct response *response, const char *name, const char *value);
void response_add_header_number(struct response *response, const char *name, int64_t value);

/* Sends status, headers and the body with its length. 204 and 304 have no body. */
void response_send(struct response *response, int status);

/* Throws away what was appended and sends the fault's error body instead. field and message
 * describe a fault with details; both NULL otherwise. */
void response_send_fault(struct response *response, const struct fault *fault, const char *field,
                         const char *message);

/* A body whose length is not known beforehand: begin, then append to body and flush now and then.
 * response_flush returns false when the client is gone or wants no body. */
void response_begin_stream(struct response *response, int status);
bool response_flush(struct response *response);

#endif
