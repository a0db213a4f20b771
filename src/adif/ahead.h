/* A value holds what looks like the end of its record and a field of the next: does it, or is its
 * length wrong? What follows tells. */
#ifndef QSOSYNC_ADIF_AHEAD_H
#define QSOSYNC_ADIF_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "adif/record.h"
#include "base/text.h"

struct ahead;

/* Never returns NULL; ahead_free frees it. */
struct ahead *ahead_create(void);
void ahead_free(struct ahead *ahead); /* NULL is allowed */

/* A value of a field with this name ends at `at`, and the record that has these fields so far would
 * end at `end`. A free text may hold anything, if its record goes on after it with fields that it
 * has not had yet; otherwise the length is wrong and reaches into the next record. Of records with
 * more fields than ADIF has nothing is guessed, nor where that position was looked ahead to in vain
 * several times: false. The bytes end where the file does if finished. */
bool ahead_goes_on(struct ahead *ahead, const struct record *record, struct text name,
                   struct text bytes, size_t at, size_t end, bool finished);

/* So many bytes were taken away at the beginning. */
void ahead_shift(struct ahead *ahead, size_t count);

/* Finds the next <EOR> or <EOH>, asked again and again of bytes that grow: no byte is searched
 * twice as long as the positions that are asked for rise. */

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
