/* A map from texts to values, such as a count for each name. Hostile keys cannot make the map slow.
 * The memory belongs to an arena. */
#ifndef QSOSYNC_BASE_TABLE_H
#define QSOSYNC_BASE_TABLE_H

#include <stdalign.h>

#include "base/arena.h"
#include "base/keyed_hash.h"
#include "base/text.h"

struct table_entry {
    struct table_entry *next; /* entries are linked in the order in which they were added */
    struct text key;          /* a copy, with a final NUL */
    alignas(int64_t) unsigned char value[];
};

struct table {
    struct arena *arena;
    size_t size; /* bytes per value */
    struct keyed_hash hash;
    /* the entries, by their hashes */
    struct table_place {
        uint64_t hash;
        struct table_entry *entry; /* NULL: the place is free */
    } * places;
    size_t capacity; /* a power of two */
    struct table_entry *first, *last;
    size_t count;
};

/* Initialises an empty table. */
void table_begin(struct table *table, struct arena *arena, size_t size);

/* Returns the key's value; a new key's value consists of zero bytes. The value's address never
 * changes. */
void *table_at(struct table *table, struct text key);

/* Returns the key's value, or NULL if the table does not have the key. */
void *table_find(const struct table *table, struct text key);

#endif
