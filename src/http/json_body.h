/* A request body as JSON (RFC 8259). */
#ifndef QSOSYNC_HTTP_JSON_BODY_H
#define QSOSYNC_HTTP_JSON_BODY_H

#include <stdbool.h>

#include "base/text.h"

#define JSON_BODY_NESTING_MAX 32
/* Names and values; 200 QSOs with every field have 13,000. In json-c an empty object, two
 * characters, takes some 800 bytes: a body of 8 MiB could take 2 GiB of memory and 5 seconds. */
#define JSON_BODY_ITEMS_MAX 65536

struct json_object;

/* Parses the text, which is the request's own memory and may be changed; the object is the caller's
 * to give back with json_body_free. Returns NULL, and *message says why in words for the client,
 * when it is not well-formed: syntax, UTF-8, a lone surrogate, something after the value, nesting
 * deeper than JSON_BODY_NESTING_MAX, more names and values than JSON_BODY_ITEMS_MAX. */
struct json_object *json_body_parse(struct text text, const char **message);
void json_body_free(struct json_object *json);

#endif
