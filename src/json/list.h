/* Reads a field whose value is a list of objects. The caller numbers the fields of these objects:
 *
 *     json_list_of(sent, &plan, arena, &list); */
#ifndef QSOSYNC_JSON_LIST_H
#define QSOSYNC_JSON_LIST_H

#include "json/read.h"

/* The list that the caller needs, and the numbers of the fields in its objects. */
struct json_list_plan {
    const char *list;              /* name of the field that contains the list */
    size_t elements_max;           /* elements after these are only counted */
    size_t fields_max;             /* size of each element's array; every result of find is lower */
    int (*find)(struct text name); /* returns a field's number; -1: the field is ignored */
};

struct json_list {
    bool is_array; /* false: the field is missing or not an array */
    size_t count;
    /* the fields of each object, by number; NULL: the element is not an object */
    struct json_value **elements;
};

/* Reads the list. `count` includes elements after elements_max, which are not read. */
void json_list_of(const struct json_fields *object, const struct json_list_plan *plan,
                  struct arena *arena, struct json_list *list);

#endif
