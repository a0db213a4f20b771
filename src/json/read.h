/* The bodies that the site's programs and pages send: small JSON objects, parsed whole. */
#ifndef QSOSYNC_JSON_READ_H
#define QSOSYNC_JSON_READ_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct json_fields;

/* The object of a JSON text (RFC 8259; UTF-8; the bounds of json/scan.h), in the arena. NULL
 * where it is not one: *message says why, for the client. */
const struct json_fields *json_read_object(struct text json, struct arena *arena,
                                           const char **message);

/* A field that is a string, decoded; no text: it is missing or something else. It may contain
 * U+0000. */
struct text json_read_text(const struct json_fields *body, const char *name);

/* A field that is a whole number from 0 on, or a string that holds one, as programs write both;
 * false: it is missing or something else. */
bool json_read_count(const struct json_fields *body, const char *name, int64_t *out);

/* Whether a field of this name is there, whatever its value is. */
bool json_has(const struct json_fields *body, const char *name);

/* Whether a field is there, and true or false. */
bool json_has_flag(const struct json_fields *body, const char *name);

/* A field that is true. */
bool json_read_flag(const struct json_fields *body, const char *name);

/* Whether it has no field but those of these names; the list ends with NULL. */
bool json_has_only(const struct json_fields *body, const char *const *names);

#endif
