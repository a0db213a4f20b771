/* Counts how many different texts there are among many, by their 64-bit hashes; collisions are not
 * expected. */
#ifndef QSOSYNC_SITE_DISTINCT_H
#define QSOSYNC_SITE_DISTINCT_H

#include "base/arena.h"
#include "base/keyed_hash.h"
#include "base/text.h"

struct distinct {
    struct arena *arena;
    uint64_t *hashes; /* open addressing; 0: free */
    size_t size;      /* a power of two, or 0 */
    size_t count;     /* of the different texts so far */
    struct keyed_hash hash;
};

/* Begins with no texts; the memory is the arena's. */
void distinct_begin(struct distinct *distinct, struct arena *arena);

/* Counts the text in `count` if it is a new one. */
void distinct_add(struct distinct *distinct, struct text text);

#endif
