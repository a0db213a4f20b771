/* A set of 64-bit numbers, such as those of a hundred thousand records, in little memory. Clients
 * who choose the numbers cannot make it slow. The memory belongs to an arena. */
#ifndef QSOSYNC_BASE_NUMBER_SET_H
#define QSOSYNC_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct number_set;

/* Creates an empty set. */
struct number_set *number_set_create(struct arena *arena);

/* Adds a number; false: the set already has it. */
bool number_set_add(struct number_set *set, uint64_t number);

bool number_set_has(const struct number_set *set, uint64_t number);

#endif
