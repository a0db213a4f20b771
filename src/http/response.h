/* A response: handlers fill it, the router sends it. */
#ifndef QSOSYNC_HTTP_RESPONSE_H
#define QSOSYNC_HTTP_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "http/error.h"
#include "http/gateway.h"
#include "http/long_answer.h"

struct response {
    struct gateway *gateway;
    struct buffer head; /* header lines so far, without the status */
    struct buffer body; /* what handlers append to */
    const char *content_type;
    bool head_only;            /* HEAD: everything but the body */
    bool is_partial;           /* HEAD: what the body appends was not all that there is */
    bool sent;                 /* at least its first byte */
    int64_t member_id;         /* whose data it holds; 0: nobody's */
    const char *database_path; /* where a long body is kept */
    struct long_answer long_answer;
    const struct error *failure; /* why a long body could not be kept */
};

/* Empties it for the next request and keeps its memory. Its content is JSON unless content_type is
 * set to something else, and nobody's unless member_id is set. database_path stays the caller's. */
void response_reset(struct response *response, struct gateway *gateway, const char *database_path,
                    bool head_only);

/* Wipes the response that was sent, and gives back what a large one has used. */
void response_release(struct response *response);

/* Frees everything. */
void response_free(struct response *response);

/* Add a header line; name and value hold no line breaks. */
void response_add_header(struct response *response, const char *name, const char *value);
void response_add_header_number(struct response *response, const char *name, int64_t value);

/* Replaces what was appended by the error's body and header. */
void response_set_error(struct response *response, const struct error *error);

/* To be called now and then while a body grows that may get long: moves it to a file once it is
 * large. False when nothing more is wanted: response_complete tells why. */
bool response_flush(struct response *response);

/* To be called when a body is complete, before headers that belong to it are added. NULL, or the
 * error to answer with: long_answer.h says which. */
const struct error *response_complete(struct response *response);

/* Sends status, headers and the body with its length. 204 and 304 have no body. */
void response_send(struct response *response, int status);

/* Conditional requests (RFC 9110, section 13). */

/* True if the value of an If-None-Match header (NULL: none) holds this entity tag, by the weak
 * comparison of section 13.1.2. */
bool entity_tag_matches(const char *if_none_match, const char *entity_tag);

#endif
