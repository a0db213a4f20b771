/* A field of a JSON object that is a list of objects, read by the numbers of their fields:
 *
 *     json_list_of(sent, &plan, arena, &list); */
#ifndef QSOSYNC_JSON_LIST_H
#define QSOSYNC_JSON_LIST_H

#include "json/read.h"

/* The parts of the object that the caller needs. */
struct json_list_plan {
    const char *list;              /* the field that is the list */
    size_t elements_max;           /* further elements are only counted */
    size_t fields_max;             /* per object of the list */
    int (*find)(struct text name); /* returns the number of a field; -1: ignored */
};

struct json_list {
    bool is_array; /* false: the field is missing or not an array */
    size_t count;
    struct json_value **elements; /* fields of each object by number; NULL: not an object */
};

/* Reads the list from an object. */
void json_list_of(const struct json_fields *object, const struct json_list_plan *plan,
                  struct arena *arena, struct json_list *list);

#endif
