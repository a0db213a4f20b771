/* Finds the next <EOR> or <EOH>, asked again and again of bytes that grow: no byte is searched
 * twice as long as the positions that are asked for rise. */
#ifndef QSOSYNC_ADIF_MARKS_H
#define QSOSYNC_ADIF_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* What is known of one mark; all zero: nothing. */
struct marks {
    size_t from, at; /* none begins between these two */
    bool found;      /* one begins at it */
};

/* The first mark that begins at or after the position; the bytes' length: there is none. */
size_t marks_find(struct marks *known, struct text bytes, const char *mark, size_t from);

/* So many bytes were taken away at the beginning. */
void marks_shift(struct marks *known, size_t count);

#endif
