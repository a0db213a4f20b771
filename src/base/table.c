/* Stores entries in a balanced tree of the C library, tsearch(3). No choice of keys makes the tree
 * deep, so the tree needs no hash and no secret. A list also links all entries in order. */
#include "base/table.h"

#include <search.h>
#include <string.h>

static void keep(void *entry)
{
    (void)entry; /* the arena owns the memory */
}

static void release(void *root)
{
    tdestroy(*(void **)root, keep);
}

void table_begin(struct table *table, struct arena *arena, size_t size)
{
    *table = (struct table){.arena = arena, .size = size};
    table->root = arena_allocate_zeroed(arena, sizeof *table->root);
    arena_add_cleanup(arena, table->root, release);
}

static int compare(const void *one, const void *other)
{
    const struct table_entry *a = one, *b = other;
    return text_compare(a->key, b->key);
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

static struct table_entry **find_place(struct table *table, const struct table_entry *wanted)
{
    void *place = tsearch(wanted, table->root, compare);
    if (!place)
        memory_give_up(sizeof *wanted);
    return place;
}

void *table_at(struct table *table, struct text key)
{
    struct table_entry wanted = {.key = key};
    struct table_entry **place = find_place(table, &wanted);
    if (*place == &wanted)
        *place = add(table, key);
    return (*place)->value;
}

void *table_find(const struct table *table, struct text key)
{
    const struct table_entry wanted = {.key = key};
    struct table_entry **place = tfind(&wanted, table->root, compare);
    return place ? (*place)->value : NULL;
}
