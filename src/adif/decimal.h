/* Decimal numbers as ADIF files contain them, exact to nine places. Halves are rounded up. */
#ifndef QSOSYNC_ADIF_DECIMAL_H
#define QSOSYNC_ADIF_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

#define DECIMAL_PLACES 9

#define DECIMAL_ONE (INT64_C(1000) * 1000 * 1000)

struct decimal {
    int64_t value; /* in units of 10^-9; smaller digits are cut off */
    bool more;     /* digits beyond these were cut off */
    int places;    /* digits written after the point */
};

/* Reads 27.555, 27,555, 5, .5 or -5. as a number. Returns false for other texts, and for numbers of
 * 10^9 or more. */
bool decimal_parse(struct text text, struct decimal *out);

/* Returns the nearest number with 0 to 9 places, in units of 10^-places. *exact becomes true if no
 * digit was rounded. */
int64_t decimal_round(struct decimal decimal, int places, bool *exact);

/* Appends a number of units of 10^-places, with all its places. */
void decimal_format(int64_t value, int places, struct buffer *buffer);

/* Returns 10 to the power of the exponent, which is 0 to 18. */
int64_t decimal_power_of_ten(int exponent);

#endif
