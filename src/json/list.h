/* A field of a JSON object that is a list of objects, read by the numbers of their fields:
 *
 *     json_list_of(sent, &plan, arena, &list); */
#ifndef QSOSYNC_JSON_LIST_H
#define QSOSYNC_JSON_LIST_H

#include "json/read.h"

/* The parts of the body that the caller wants. */
struct json_list_plan {
    const char *list;    /* the field that is the list */
    size_t elements_max; /* more are only counted */
    size_t fields_max;   /* per object of the list */
    int (*find)(
        struct text name); /* the number of a field; -1: a field that the caller does not want */
};

struct json_list {
    bool is_array; /* false: the field is missing or something else */
    size_t count;
    struct json_value **elements; /* fields of each object by number; NULL: not an object */
};

/* Reads the list from an object. */
void json_list_of(const struct json_fields *object, const struct json_list_plan *plan,
                  struct arena *arena, struct json_list *list);

#endif
