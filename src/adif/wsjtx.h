/* Converts wsjtx.log, the table that WSJT-X and its relatives write, to ADI. */
#ifndef QSOSYNC_ADIF_WSJTX_H
#define QSOSYNC_ADIF_WSJTX_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Returns whether the file begins like wsjtx.log. */
bool wsjtx_is(struct text file);

/* Returns the file as ADI, in the arena. Each line becomes a record in the same line. */
struct text wsjtx_to_adi(struct text file, struct arena *arena);

#endif
