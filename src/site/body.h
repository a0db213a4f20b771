/* The bodies that the site's programs and pages send: small JSON objects, parsed whole. */
#ifndef QSOSYNC_SITE_BODY_H
#define QSOSYNC_SITE_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct body;

/* The object of a JSON text (RFC 8259; UTF-8; the bounds of http/json_scan.h), in the arena. NULL:
 * *message says why it is none, in words for the client. */
const struct body *body_parse(struct text json, struct arena *arena, const char **message);

/* A member that is a string, decoded; no text: it is missing or something else. U+0000 is a byte of
 * it. */
struct text body_text(const struct body *body, const char *name);

/* A member that is true. */
bool body_flag(const struct body *body, const char *name);

#endif
