/* A set of 64-bit numbers, such as those of a hundred thousand records, in little memory. Whoever
 * chooses the numbers cannot make it slow. The memory is an arena's. */
#ifndef QSOSYNC_BASE_NUMBER_SET_H
#define QSOSYNC_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct number_set;

/* An empty set. */
struct number_set *number_set_create(struct arena *arena);

/* Adds a number; false: it is there already. */
bool number_set_add(struct number_set *set, uint64_t number);

bool number_set_has(const struct number_set *set, uint64_t number);

#endif
