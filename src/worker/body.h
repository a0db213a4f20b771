/* The body of a request, within the bounds that the row of its route states.
 *
 * Until the caller is known, no more than BODY_UNKNOWN_MAX_BYTES are read, whatever the row says: a
 * stranger costs as little as the search for a credential does. */
#ifndef QSOSYNC_WORKER_BODY_H
#define QSOSYNC_WORKER_BODY_H

#include "json/read.h"
#include "worker/route.h"

/* Rows that many routes share: a route that reads nothing of its body, and one that takes a JSON
 * object with a few short fields. */
extern const struct route_body body_unread, body_small_object;

/* Reads the body: *text is all of it, or, while the caller is not known, at most its first
 * BODY_UNKNOWN_MAX_BYTES. Called again once the caller is known, it goes on to the end. NULL, or
 * the error to answer with: another type, too large, shorter than announced. */
const struct error *body_read(struct exchange *exchange, struct text *text);

/* The JSON object in a body. NULL, or the error to answer with; the field and message of one with
 * status 400 say what is wrong with the text. */
const struct error *body_read_object(struct exchange *exchange, const struct json_fields **object);

#endif
