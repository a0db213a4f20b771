/* Maidenhead locators: a field of two letters A to R, a square of two digits, and optionally a
 * subsquare of two letters a to x. */
#ifndef QSOSYNC_QSO_LOCATOR_H
#define QSOSYNC_QSO_LOCATOR_H

#include <stdbool.h>

#include "base/text.h"

#define LOCATOR_LENGTH_MAX 6

/* Writes a locator of 4 or 6 characters in its normal form (JO59jw) to out, which holds
 * LOCATOR_LENGTH_MAX bytes and gets no NUL; the length stays that of the text. Letters may be upper
 * or lower case. Returns false, and leaves out unchanged, for any other text; the text is not
 * trimmed here. */
bool locator_normalise(struct text text, char *out);

/* The middle of the square or subsquare of a locator in normal form, in degrees. Returns false, and
 * leaves both alone, for any other text. */
bool locator_find_middle(struct text locator, double *lat, double *lng);

#endif
