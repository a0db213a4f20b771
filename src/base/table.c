/* Stores entries in a hash table that is at most half full. Keyed hashes select each entry's place,
 * so that no choice of keys makes the table slow. A list also links all entries in order. */
#include "base/table.h"

#include <string.h>

#define CAPACITY_FIRST 16

static struct table_place *allocate(struct arena *arena, size_t capacity)
{
    return arena_allocate_zeroed(arena, capacity * sizeof(struct table_place));
}

void table_begin(struct table *table, struct arena *arena, size_t size)
{
    *table = (struct table){.arena = arena,
                            .size = size,
                            .hash = keyed_hash_begin(),
                            .places = allocate(arena, CAPACITY_FIRST),
                            .capacity = CAPACITY_FIRST};
}

/* Returns the place of the entry with this key, or the free place where it belongs. */
static struct table_place *find_place(const struct table *table, struct text key, uint64_t hash)
{
    size_t at = (size_t)hash & (table->capacity - 1);
    while (table->places[at].entry &&
           (table->places[at].hash != hash || text_compare(table->places[at].entry->key, key) != 0))
        at = (at + 1) & (table->capacity - 1);
    return &table->places[at];
}

/* Doubles the capacity. The arena keeps the previous places until its reset. */
static void grow(struct table *table)
{
    const struct table previous = *table;
    table->capacity *= 2;
    table->places = allocate(table->arena, table->capacity);
    for (size_t i = 0; i < previous.capacity; i++) {
        const struct table_place *place = &previous.places[i];
        if (place->entry)
            *find_place(table, place->entry->key, place->hash) = *place;
    }
}

static struct table_entry *add(struct table *table, struct text key)
{
    struct table_entry *entry =
        arena_allocate_zeroed(table->arena, sizeof *entry + table->size + key.length + 1);
    char *copy = (char *)entry->value + table->size;
    if (key.length > 0)
        memcpy(copy, key.bytes, key.length);
    entry->key = (struct text){copy, key.length};
    *(table->last ? &table->last->next : &table->first) = entry;
    table->last = entry;
    table->count++;
    return entry;
}

void *table_at(struct table *table, struct text key)
{
    const uint64_t hash = keyed_hash_of(&table->hash, key.bytes, key.length);
    struct table_place *place = find_place(table, key, hash);
    if (place->entry)
        return place->entry->value;
    struct table_entry *entry = add(table, key);
    *place = (struct table_place){hash, entry};
    if (2 * table->count > table->capacity)
        grow(table);
    return entry->value;
}

void *table_find(const struct table *table, struct text key)
{
    const uint64_t hash = keyed_hash_of(&table->hash, key.bytes, key.length);
    const struct table_entry *entry = find_place(table, key, hash)->entry;
    return entry ? (void *)entry->value : NULL;
}
