/* The body of a request, within the bounds in its route's row.
 *
 * Until the caller is known, at most BODY_UNKNOWN_MAX_BYTES are read, whatever the row allows: a
 * stranger costs as little as the search for a credential does. */
#ifndef QSOSYNC_WORKER_BODY_H
#define QSOSYNC_WORKER_BODY_H

#include "json/read.h"
#include "worker/route.h"

/* Limits that many routes share: for a route without a body, and for a JSON object with a few short
 * fields. */
extern const struct route_body body_unread, body_small_object;

/* Reads the body: *text is all of it or, while the caller is unknown, at most its first
 * BODY_UNKNOWN_MAX_BYTES. When called again with the caller known, it continues to the end. Returns
 * NULL, or the error to answer with: another type, too large, shorter than announced. */
const struct error *body_read(struct exchange *exchange, struct text *text);

/* Parses the JSON object in a body. Returns NULL, or the error to answer with; the field and
 * message of an error with status 400 describe the fault in the text. */
const struct error *body_read_object(struct exchange *exchange, const struct json_fields **object);

#endif
