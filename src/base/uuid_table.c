/* A hash table with open addressing. Clients choose their UUIDs, so the hash has a key. */
#include "base/uuid_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/keyed_hash.h"

struct place {
    unsigned char uuid[UUID_BYTES];
    uint32_t number; /* 0: the place is free */
};

struct uuid_table {
    struct keyed_hash hash;
    struct place *places;
    size_t capacity; /* a power of two */
    size_t used;
};

static void allocate(struct uuid_table *table, size_t capacity)
{
    table->capacity = capacity;
    table->places = memory_allocate(capacity * sizeof *table->places);
    memset(table->places, 0, capacity * sizeof *table->places);
}

struct uuid_table *uuid_table_create(void)
{
    struct uuid_table *table = memory_allocate(sizeof *table);
    table->hash = keyed_hash_begin();
    table->used = 0;
    allocate(table, 1024);
    return table;
}

void uuid_table_free(struct uuid_table *table)
{
    if (table)
        free(table->places);
    free(table);
}

static struct place *find(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES])
{
    for (size_t i = (size_t)keyed_hash_of(&table->hash, uuid, UUID_BYTES);; i++) {
        struct place *place = &table->places[i & (table->capacity - 1)];
        if (place->number == 0 || memcmp(place->uuid, uuid, UUID_BYTES) == 0)
            return place;
    }
}

static void grow(struct uuid_table *table)
{
    struct uuid_table smaller = *table;
    allocate(table, 2 * smaller.capacity);
    for (size_t i = 0; i < smaller.capacity; i++)
        if (smaller.places[i].number)
            *find(table, smaller.places[i].uuid) = smaller.places[i];
    free(smaller.places);
}

uint32_t uuid_table_get(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES])
{
    return find(table, uuid)->number;
}

void uuid_table_put(struct uuid_table *table, const unsigned char uuid[UUID_BYTES], uint32_t number)
{
    assert(number);
    if (4 * table->used >= 3 * table->capacity)
        grow(table);
    struct place *place = find(table, uuid);
    table->used += place->number == 0;
    memcpy(place->uuid, uuid, UUID_BYTES);
    place->number = number;
}

void uuid_table_list(const struct uuid_table *table,
                     void (*visit)(void *context, const unsigned char uuid[UUID_BYTES],
                                   uint32_t number),
                     void *context)
{
    for (size_t i = 0; i < table->capacity; i++)
        if (table->places[i].number)
            visit(context, table->places[i].uuid, table->places[i].number);
}
