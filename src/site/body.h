/* The bodies that the site's programs and pages send: small JSON objects, parsed whole. */
#ifndef QSOSYNC_SITE_BODY_H
#define QSOSYNC_SITE_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct body;

/* The object of a JSON text (RFC 8259; UTF-8; the bounds of http/json_scan.h), in the arena. NULL
 * where it is not one: *message says why, for the client. */
const struct body *body_parse(struct text json, struct arena *arena, const char **message);

/* A member that is a string, decoded; no text: it is missing or something else. It may contain
 * U+0000. */
struct text body_text(const struct body *body, const char *name);

/* A member that is true. */
bool body_flag(const struct body *body, const char *name);

#endif
