/* A request body that is a JSON object (RFC 8259) with a list of objects in it.
 *
 * The whole body is checked in one pass, which also finds the fields of the list's objects. They
 * are not copied. */
#ifndef QSOSYNC_JSON_LIST_H
#define QSOSYNC_JSON_LIST_H

#include <stdbool.h>

#include "json/value.h"

/* What the caller wants of the body. */
struct json_list_plan {
    const char *list;    /* the field that is the list */
    size_t elements_max; /* more are only counted */
    size_t fields_max;   /* of an object of the list */
    int (*find)(
        struct text name); /* the number of a field; -1: one that the caller does not want */
};

struct json_list {
    bool is_array; /* false: the field is missing or something else */
    size_t count;
    struct json_value **elements; /* the fields of each by their number; NULL: not an object */
};

/* Checks the text and finds the list; of a field that is there twice the last value counts. The
 * result lives in the arena and points into the text. Returns false, and *message says why in words
 * for the client, when it is not well-formed: syntax, UTF-8, something after the value, nesting
 * deeper than JSON_NESTING_MAX, more names and values than JSON_ITEMS_MAX, or not an object. */
bool json_list_scan(struct text body, const struct json_list_plan *plan, struct arena *arena,
                    struct json_list *list, const char **message);

#endif
