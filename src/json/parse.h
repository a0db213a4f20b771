/* Parses a JSON text into an object of json-c, for the other files in this folder. */
#ifndef QSOSYNC_JSON_PARSE_H
#define QSOSYNC_JSON_PARSE_H

#include "base/arena.h"
#include "base/text.h"
#include "json/scan.h"

struct json_object;

/* Returns the object that the text contains; the arena owns the object. Returns NULL, with the
 * reason in *message, if the text cannot be read. Ends the process if memory runs out. */
struct json_object *json_parse(struct text json, const struct json_bounds *bounds,
                               struct arena *arena, const char **message);

/* An object of json-c, and the arena that owns the object. */
struct json_fields {
    struct json_object *object;
    struct arena *arena;
};

#endif
