/* Maidenhead locators: a field of two letters A to R, a square of two digits, and optionally a
 * subsquare of two letters a to x. */
#ifndef QSOSYNC_QSO_LOCATOR_H
#define QSOSYNC_QSO_LOCATOR_H

#include <stdbool.h>

#include "base/text.h"

#define LOCATOR_LENGTH_MAX 6

/* Writes a locator of 4 or 6 characters in its normal form (JO59jw) to `out`, which has
 * LOCATOR_LENGTH_MAX bytes and receives no NUL. Letters can be in either case. For any other text,
 * including untrimmed text, returns false and leaves `out` unchanged. */
bool locator_normalise(struct text text, char *out);

/* Finds the middle of the square or subsquare of a valid locator, in degrees. For any other text,
 * returns false and leaves both numbers unchanged. */
bool locator_find_middle(struct text locator, double *lat, double *lng);

#endif
