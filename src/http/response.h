/* A response, which handlers fill and the router sends. */
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
    struct buffer head; /* header lines so far, without the status line */
    struct buffer body; /* the body, which handlers fill */
    const char *content_type;
    bool head_only;            /* for HEAD: whether only the head is sent */
    bool is_partial;           /* for HEAD: whether the body is incomplete */
    bool sent;                 /* whether sending has begun */
    int64_t member_id;         /* the member whose data the response contains; 0: nobody's data */
    const char *database_path; /* path of the database, next to which a long body is stored */
    struct long_answer long_answer;
    const struct error *failure; /* reason why a long body could not be stored */
};

/* Empties a response for the next request and keeps its memory. The content is JSON unless
 * content_type is changed, and belongs to nobody unless member_id is set. database_path must stay
 * valid. */
void response_reset(struct response *response, struct gateway *gateway, const char *database_path,
                    bool head_only);

/* Wipes a response after it was sent, and frees the memory of a large response. */
void response_release(struct response *response);

/* Frees all memory of a response. */
void response_free(struct response *response);

/* Add a header line. The name and the value must not contain line breaks. */
void response_add_header(struct response *response, const char *name, const char *value);
void response_add_header_number(struct response *response, const char *name, int64_t value);

/* Replaces the content so far with the error's body and header. */
void response_set_error(struct response *response, const struct error *error);

/* Moves a large body to a file. If a body can become long, call this function repeatedly while the
 * body grows. Returns false if no more of the body is needed: for HEAD, or after a failure, which
 * response_complete returns. */
bool response_flush(struct response *response);

/* Completes a long body, before the headers are added. Returns NULL or an error (long_answer.h). */
const struct error *response_complete(struct response *response);

/* Sends the status, the headers, and the body with its length. Statuses 204 and 304 have no
 * body. */
void response_send(struct response *response, int status);

#endif
