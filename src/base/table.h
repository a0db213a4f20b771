/* A map from texts to values, such as a count for each name. Hostile keys cannot make it slow. The
 * memory belongs to an arena. */
#ifndef QSOSYNC_BASE_TABLE_H
#define QSOSYNC_BASE_TABLE_H

#include <stdalign.h>

#include "base/arena.h"
#include "base/text.h"

struct table_entry {
    struct table_entry *next; /* in the order of their addition */
    struct text key;          /* a copy, with a final NUL */
    alignas(int64_t) unsigned char value[];
};

struct table {
    struct arena *arena;
    size_t size; /* bytes of a value */
    void **root;
    struct table_entry *first, *last;
    size_t count;
};

/* Initialises an empty table. */
void table_begin(struct table *table, struct arena *arena, size_t size);

/* Returns the value of the key, initially zero bytes. The address never changes. */
void *table_at(struct table *table, struct text key);

/* Returns the value of the key, or NULL if the table does not have the key. */
void *table_find(const struct table *table, struct text key);

#endif
