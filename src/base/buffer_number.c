/* Appends numbers in the format that JSON requires. The program never sets a locale, so the decimal
 * separator is always a point. */
#include "base/buffer.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/text.h"

#define INTEGER_DIGITS_MAX 20 /* digits of the largest uint64_t */

/* Coordinates with up to twelve decimals are written without stdio, for speed: a page can contain a
 * thousand coordinates. */
#define DECIMALS 12
#define SCALE 1e12
#define SCALED_LIMIT 1e3 /* limit below which a scaled value has at most 15 digits */

/* Writes the digits so that the last one is just before `end`. Returns the address of the first
 * digit. */
static char *write_digits(uint64_t value, char *end)
{
    do
        *--end = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return end;
}

void buffer_append_integer(struct buffer *buffer, int64_t value)
{
    char digits[INTEGER_DIGITS_MAX + 1];
    char *end = digits + sizeof digits;
    char *start = write_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, end);
    if (value < 0)
        *--start = '-';
    buffer_append(buffer, start, (size_t)(end - start));
}

/* Appends an integer with DECIMALS implied decimals, without trailing zeros. */
static void append_decimal(struct buffer *buffer, int64_t scaled)
{
    char digits[INTEGER_DIGITS_MAX];
    char *end = digits + sizeof digits, *point = end - DECIMALS;
    char *start = write_digits(scaled < 0 ? (uint64_t)-scaled : (uint64_t)scaled, end);
    while (start >= point)
        *--start = '0';
    while (end > point && end[-1] == '0')
        end--;
    buffer_append(buffer, "-", scaled < 0);
    buffer_append(buffer, start, (size_t)(point - start));
    buffer_append(buffer, ".", end > point);
    buffer_append(buffer, point, (size_t)(end - point));
}

void buffer_append_real(struct buffer *buffer, double value)
{
    assert(isfinite(value));
    if (fabs(value) < SCALED_LIMIT) {
        /* Both operands of the division are exact, and its result is correctly rounded. Equality
         * therefore means that the decimal number scaled / 10^12 reads back as value. The decimal
         * number has at most 15 significant digits. No two decimals of up to 15 digits (DBL_DIG)
         * read as the same double, so no shorter decimal exists. Minus zero scales to a plain
         * zero. */
        int64_t scaled = (int64_t)(value * SCALE + (value < 0 ? -0.5 : 0.5));
        if ((double)scaled / SCALE == value) {
            append_decimal(buffer, scaled);
            return;
        }
    }
    char text[32]; /* longest form: -d.ddde-xxx */
    int precision = DBL_DIG;
    do /* Every double reads back from 17 significant digits, most doubles from 15. */
        format_cut(text, sizeof text, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= DBL_DECIMAL_DIG);
    buffer_append_string(buffer, text);
}
