/* Converts ADX, the XML form of ADIF, to ADI. All code that reads ADIF reads the result, so that
 * both forms follow the same rules. */
#ifndef QSOSYNC_ADIF_ADX_H
#define QSOSYNC_ADIF_ADX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* The reason why a file in ADX cannot be read. */
struct adx_fault {
    int64_t line;
    const char *reason; /* a constant text; NULL: the file can be read */
};

/* Returns whether the file begins like ADX. */
bool adx_is(struct text file);

/* Returns the file as ADI, in the arena. Each field is in the same line as in the file, so that
 * reports name the right line. If the file is not valid, returns no text. */
struct text adx_to_adi(struct text file, struct arena *arena, struct adx_fault *fault);

#endif
