/* A set of 64-bit numbers, such as the hashes of a hundred thousand records, in little memory. Even
 * clients that choose the numbers cannot make the set slow. The memory belongs to an arena. */
#ifndef QSOSYNC_BASE_NUMBER_SET_H
#define QSOSYNC_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct number_set;

/* Create an empty set. The second function is for numbers that are keyed hashes
 * (base/keyed_hash.h), which need no other hash. */
struct number_set *number_set_create(struct arena *arena);
struct number_set *number_set_create_for_hashes(struct arena *arena);

/* Adds a number. Returns false if the set already contains the number. */
bool number_set_add(struct number_set *set, uint64_t number);

/* Returns whether the set contains the number. */
bool number_set_has(const struct number_set *set, uint64_t number);

#endif
