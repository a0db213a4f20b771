/* The body of a request, within the bounds in its route's row.
 *
 * Until the caller is known, at most BODY_UNKNOWN_MAX_BYTES are read, whatever the row allows, so
 * strangers cannot make a worker read large bodies. */
#ifndef QSOSYNC_WORKER_BODY_H
#define QSOSYNC_WORKER_BODY_H

#include "json/read.h"
#include "worker/route.h"

/* Limits that many routes share. body_unread is for a route that does not read its body, and
 * body_small_object for a JSON object with a few short fields. */
extern const struct route_body body_unread, body_small_object;

/* Reads the body into *text. While the caller is unknown, *text is only the first
 * BODY_UNKNOWN_MAX_BYTES. A second call, after the caller was identified, continues to the end of
 * the body. Returns NULL, or the error for a body that has another type, is too large, or is
 * shorter than announced. */
const struct error *body_read(struct exchange *exchange, struct text *text);

/* Parses the JSON object in a body. Returns NULL, or the error to answer with. An error with status
 * 400 describes the fault in the body by field and message. */
const struct error *body_read_object(struct exchange *exchange, const struct json_fields **object);

#endif
