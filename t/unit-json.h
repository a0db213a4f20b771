/* Provides unit tests with a function that builds a JSON list of equal values. */
#ifndef QSOSYNC_T_UNIT_JSON_H
#define QSOSYNC_T_UNIT_JSON_H

#include <stdlib.h>
#include <string.h>

#include "json/list.h"
#include "json/read.h"

static struct arena arena;

static inline int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct json_bounds widest = {.items_max = JSON_ITEMS_MAX};

/* Returns {"list":[piece,piece,...]} with this many pieces. */
static inline struct text list_of(const char *piece, int count)
{
    size_t length = strlen(piece), at = 9;
    char *body = arena_allocate(&arena, 9 + (length + 1) * (size_t)count + 2);
    memcpy(body, "{\"list\":[", 9);
    for (int i = 0; i < count; i++) {
        memcpy(body + at, piece, length);
        at += length;
        body[at++] = ',';
    }
    memcpy(body + at - 1, "]}", 2);
    return (struct text){body, at + 1};
}

#endif
