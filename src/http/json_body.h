/* A request body that is a JSON object (RFC 8259) with a list of objects in it.
 *
 * The body is judged whole, then each object of the list is parsed alone, so that the memory it
 * takes does not grow with the body. */
#ifndef QSOSYNC_HTTP_JSON_BODY_H
#define QSOSYNC_HTTP_JSON_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct json_object;

/* What the caller wants of the body. */
struct json_body_plan {
    const char *list;                   /* the member that is the list */
    size_t elements_max;                /* more are counted only */
    bool (*is_known)(struct text name); /* members of its objects; all others are left out */
    const char *repeated;               /* the member whose text goes back to the client */
};

struct json_element {
    struct text object;   /* as JSON; no text: not an object */
    struct text repeated; /* that member as it was sent, with its quotes; no text: not a string */
};

struct json_list {
    bool is_array; /* false: the member is missing or something else */
    size_t count;
    struct json_element *elements; /* in the arena */
};

/* Judges the text, which is the request's own memory and is changed on the way, and finds the list.
 * Returns false, and *message says why in words for the client, when it is not well-formed: syntax,
 * UTF-8, something after the value, nesting deeper than JSON_BODY_NESTING_MAX, more names and
 * values than JSON_BODY_ITEMS_MAX, or not an object. Half of a surrogate pair, which can only be
 * written as an escape, becomes U+0000 in a known member's text. */
bool json_body_scan(struct text body, const struct json_body_plan *plan, struct arena *arena,
                    struct json_list *list, const char **message);

/* Parses an element's object; an object or array inside it becomes an empty array. The result is
 * the caller's to give back. Never NULL: the object was judged before, and without memory the
 * process ends. */
struct json_object *json_body_parse(struct text object);
void json_body_free(struct json_object *json);

#endif
