/* Decimal numbers as ADIF files hold them, exact to nine places; halves are rounded up. */
#ifndef QSOSYNC_ADIF_DECIMAL_H
#define QSOSYNC_ADIF_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"

#define DECIMAL_ONE (INT64_C(1000) * 1000 * 1000)

struct decimal {
    int64_t value; /* in units of 10^-9, what is smaller is cut off */
    bool more;     /* digits beyond these were cut off */
    int places;    /* digits written after the point */
};

/* Reads 27.555, 27,555, 5, .5 or -5.; false for anything else, and from 10^9 on. */
bool decimal_parse(struct text text, struct decimal *out);

/* The nearest number with so many places (0 to 9), in units of 10^-places. *exact: it is the same
 * number. */
int64_t decimal_round(struct decimal decimal, int places, bool *exact);

/* Appends a number of units of 10^-places, with all its places. */
void decimal_format(int64_t value, int places, struct buffer *buffer);

#endif
