/* A response: handlers fill it, the router sends it. */
#ifndef QSOSYNC_HTTP_RESPONSE_H
#define QSOSYNC_HTTP_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "http/error.h"
#include "http/gateway.h"

struct response {
    struct gateway *gateway;
    struct buffer head; /* header lines so far, without the status */
    struct buffer body; /* what handlers append to */
    const char *content_type;
    bool head_only; /* HEAD: everything but the body */
    bool sent;      /* the head was sent; nothing in it can be changed any more */
};

/* Empties it for the next request and keeps its memory. Its content is JSON unless content_type is
 * set to something else. */
void response_reset(struct response *response, struct gateway *gateway, bool head_only);

/* Wipes the response that was sent, and frees memory that a large one has used. */
void response_release(struct response *response);

/* Frees everything. */
void response_free(struct response *response);

/* Add a header line; name and value hold no line breaks. */
void response_add_header(struct response *response, const char *name, const char *value);
void response_add_header_number(struct response *response, const char *name, int64_t value);

/* Replaces what was appended by the error's body and header. */
void response_set_error(struct response *response, const struct error *error);

/* Sends status, headers and the body with its length. 204 and 304 have no body. */
void response_send(struct response *response, int status);

/* A body whose length is not known beforehand: begin, then append to the body and flush, piece by
 * piece. response_flush returns false when the client is gone or wants no body. */
void response_begin_stream(struct response *response, int status);
bool response_flush(struct response *response);

#endif
