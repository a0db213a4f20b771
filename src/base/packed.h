/* Values as they are in memory, one after the other: what a program keeps for itself alone, and for
 * the same processor. Whoever reads them has to know that they were written by the same sources. */
#ifndef QSOSYNC_BASE_PACKED_H
#define QSOSYNC_BASE_PACKED_H

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

/* Takes so many bytes from the beginning of *rest. False: there are fewer. */
static inline bool packed_take(struct text *rest, void *out, size_t bytes)
{
    if (rest->length < bytes)
        return false;
    if (bytes > 0)
        memcpy(out, rest->bytes, bytes);
    *rest = (struct text){rest->bytes + bytes, rest->length - bytes};
    return true;
}

/* Takes `count` elements of so many bytes into an array of the arena with space for `capacity`, of
 * which the others are zero; that is at most twice as many, and a few. False: there are fewer. */
static inline bool packed_take_array(struct text *rest, struct arena *arena, size_t count,
                                     size_t capacity, size_t bytes, void *array)
{
    if (count > capacity || count > rest->length / bytes || capacity > 2 * count + 64)
        return false;
    void *taken = arena_allocate_zeroed(arena, (capacity + 1) * bytes);
    memcpy(array, &taken, sizeof taken);
    return packed_take(rest, taken, count * bytes);
}

#endif
