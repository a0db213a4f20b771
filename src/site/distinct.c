/* Counts how many different texts there are among many, such as stations worked in a log. Only
 * their hashes are kept, 8 bytes each, so that a log of any length takes little memory; with 64
 * bits two texts with one hash are not expected. */
#include "site/distinct.h"

#define FIRST_SIZE 1024
#define GROWTH 4 /* filling a larger table costs more than its memory */

void distinct_begin(struct distinct *distinct, struct arena *arena)
{
    *distinct = (struct distinct){.arena = arena, .hash = keyed_hash_begin()};
}

static bool insert(struct distinct *distinct, uint64_t hash)
{
    size_t at = (size_t)hash & (distinct->size - 1);
    while (distinct->hashes[at] != 0 && distinct->hashes[at] != hash)
        at = (at + 1) & (distinct->size - 1);
    bool is_new = distinct->hashes[at] == 0;
    distinct->hashes[at] = hash;
    return is_new;
}

static void grow(struct distinct *distinct)
{
    const uint64_t *old = distinct->hashes;
    size_t old_size = distinct->size;
    distinct->size = old_size ? old_size * GROWTH : FIRST_SIZE;
    distinct->hashes =
        arena_allocate_zeroed(distinct->arena, distinct->size * sizeof *distinct->hashes);
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != 0)
            insert(distinct, old[i]);
}

void distinct_add(struct distinct *distinct, struct text text)
{
    uint64_t hash = keyed_hash_of(&distinct->hash, text.bytes, text.length);
    if (distinct->count * 2 >= distinct->size)
        grow(distinct);
    distinct->count += insert(distinct, hash ? hash : 1);
}
