/* Decimal numbers as in ADIF files, exact to nine places. Halves are rounded up. */
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
    int64_t value; /* in units of 10^-9; further digits are cut off */
    bool more;     /* whether further digits were cut off */
    int places;    /* number of digits written after the point */
};

/* Reads a number with an optional point or comma, such as "27.555", "27,555", "5", ".5" or "-5.".
 * Returns false for any other text, and for more than nine digits before the point. */
bool decimal_parse(struct text text, struct decimal *out);

/* Rounds to 0 to 9 places, and returns the result in units of 10^-places. *exact receives whether
 * the result equals the number. */
int64_t decimal_round(struct decimal decimal, int places, bool *exact);

/* Appends a number, given in units of 10^-places, with this number of digits after the point. */
void decimal_format(int64_t value, int places, struct buffer *buffer);

/* Returns the power of ten with this exponent, which must be at most 18, or 1 if the exponent is
 * negative. */
int64_t decimal_power_of_ten(int exponent);

#endif
