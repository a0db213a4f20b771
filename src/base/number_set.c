/* Stores numbers in an open-addressing table that is at most half full. Keyed hashes select each
 * number's place, unless the numbers themselves are keyed hashes. */
#include "base/number_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"

#define CAPACITY_FIRST 64

struct number_set {
    struct keyed_hash hash;
    bool has_hashes;   /* whether the numbers are keyed hashes */
    uint64_t *numbers; /* 0: the place is free */
    size_t capacity;   /* a power of two */
    size_t count;
    bool has_zero;
};

static uint64_t *allocate(size_t capacity)
{
    uint64_t *numbers = memory_allocate(capacity * sizeof *numbers);
    memset(numbers, 0, capacity * sizeof *numbers);
    return numbers;
}

static void release(void *set)
{
    free(((struct number_set *)set)->numbers);
}

struct number_set *number_set_create(struct arena *arena)
{
    struct number_set *set = arena_allocate(arena, sizeof *set);
    *set = (struct number_set){.hash = keyed_hash_begin(),
                               .numbers = allocate(CAPACITY_FIRST),
                               .capacity = CAPACITY_FIRST};
    arena_add_cleanup(arena, set, release);
    return set;
}

struct number_set *number_set_create_for_hashes(struct arena *arena)
{
    struct number_set *set = number_set_create(arena);
    set->has_hashes = true;
    return set;
}

/* Returns the place of the number, or the free place where it belongs. */
static uint64_t *find_place(const struct number_set *set, uint64_t number)
{
    size_t at =
        (size_t)(set->has_hashes ? number : keyed_hash_of(&set->hash, &number, sizeof number));
    for (at &= set->capacity - 1; set->numbers[at] && set->numbers[at] != number;)
        at = (at + 1) & (set->capacity - 1);
    return &set->numbers[at];
}

static void grow(struct number_set *set)
{
    struct number_set larger = *set;
    larger.capacity *= 2;
    larger.numbers = allocate(larger.capacity);
    for (size_t i = 0; i < set->capacity; i++)
        if (set->numbers[i])
            *find_place(&larger, set->numbers[i]) = set->numbers[i];
    free(set->numbers);
    *set = larger;
}

bool number_set_add(struct number_set *set, uint64_t number)
{
    if (number == 0) {
        const bool is_new = !set->has_zero;
        set->has_zero = true;
        return is_new;
    }
    uint64_t *place = find_place(set, number);
    if (*place)
        return false;
    *place = number;
    if (2 * ++set->count > set->capacity)
        grow(set);
    return true;
}

bool number_set_has(const struct number_set *set, uint64_t number)
{
    return number == 0 ? set->has_zero : *find_place(set, number) != 0;
}
