/* A growing run of bytes, and the way JSON writes texts and numbers. A page of 500 QSOs passes
 * through here field by field, so the three writers work without stdio wherever that is exact.
 *
 * Never shrinks by itself, does not know what it holds, and does not depend on a locale: the
 * program never sets one, so a number's decimal sign is always a point. */
#include "base/buffer.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define SMALLEST_CAPACITY ((size_t)256)
#define INTEGER_DIGITS_MAX 20 /* of a uint64_t */

/* Coordinates with up to twelve decimals are written without stdio. */
#define DECIMALS 12
#define SCALE 1e12
#define SCALED_LIMIT 1e3 /* below it a scaled value has at most 15 digits */

void buffer_grow(struct buffer *buffer, size_t more)
{
    assert(more <= SIZE_MAX / 4 && buffer->length <= SIZE_MAX / 4);
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : SMALLEST_CAPACITY;
    while (capacity - buffer->length < more)
        capacity *= 2;
    buffer->bytes = memory_resize(buffer->bytes, capacity);
    buffer->capacity = capacity;
}

/* Writes the digits so that they end just before end, and returns where they begin. */
static char *write_digits(uint64_t value, char *end)
{
    for (; value >= 100; value /= 100)
        end = memcpy(end - 2, text_decimal_pairs + 2 * (value % 100), 2);
    if (value >= 10)
        return memcpy(end - 2, text_decimal_pairs + 2 * value, 2);
    *--end = (char)('0' + value);
    return end;
}

void buffer_append_integer(struct buffer *buffer, int64_t value)
{
    char digits[INTEGER_DIGITS_MAX + 1];
    char *end = digits + sizeof digits;
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char *start = write_digits(magnitude, end);
    if (value < 0)
        *--start = '-';
    buffer_append(buffer, start, (size_t)(end - start));
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    char *place = buffer_reserve(buffer, (size_t)length + 1);
    va_start(arguments, format);
    (void)vsnprintf(place, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}

/* -- JSON strings ------------------------------------------------------------------------------ */

static bool needs_escape(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

/* True if one of eight bytes needs an escape. Subtracting n from every byte borrows into the top
 * bit of those below n, which only counts where that bit was clear before; a byte that equals c
 * becomes zero, and so below 1, by exclusive or with c. A borrow can carry into the next byte and
 * mark it wrongly, but only above a byte that is marked rightly, so the answer as a whole is exact.
 */
static bool eight_need_escape(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t tops = UINT64_C(0x8080808080808080);
    uint64_t quote = word ^ (ones * '"');
    uint64_t backslash = word ^ (ones * '\\');
    uint64_t found = ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) |
                     ((backslash - ones) & ~backslash);
    return (found & tops) != 0;
}

/* Copies eight bytes, unless one of them needs an escape. */
static bool copy_eight(const char *bytes, char *out)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    if (eight_need_escape(word))
        return false;
    memcpy(out, &word, sizeof word);
    return true;
}

/* Copies what needs no escape at the start, and returns how many bytes that is. The last eight may
 * overlap with those before them. */
static size_t copy_clean(const char *bytes, size_t length, char *out)
{
    size_t count = 0;
    while (length - count >= 8 && copy_eight(bytes + count, out + count))
        count += 8;
    if (count > 0 && length - count < 8 && copy_eight(bytes + length - 8, out + length - 8))
        return length;
    for (; count < length && !needs_escape((unsigned char)bytes[count]); count++)
        out[count] = bytes[count];
    return count;
}

static void append_escape(struct buffer *buffer, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (byte >= 0x20)
        buffer_append(buffer, (char[]){'\\', (char)byte}, 2);
    else if (letters[byte] != '\0')
        buffer_append(buffer, (char[]){'\\', letters[byte]}, 2);
    else
        buffer_append(buffer, (char[]){'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]}, 6);
}

void buffer_append_json_string(struct buffer *buffer, const char *bytes, size_t length)
{
    size_t done = 0;
    *buffer_reserve(buffer, length + 2) = '"';
    buffer->length++;
    while (done < length) {
        size_t rest = length - done;
        size_t clean = copy_clean(bytes + done, rest, buffer_reserve(buffer, rest));
        buffer->length += clean;
        done += clean;
        if (clean < rest)
            append_escape(buffer, (unsigned char)bytes[done++]);
    }
    buffer_append(buffer, "\"", 1);
}

/* -- JSON numbers ------------------------------------------------------------------------------ */

/* Writes an integer of DECIMALS decimals, without the zeros at its end. */
static void append_decimal(struct buffer *buffer, int64_t scaled)
{
    char digits[INTEGER_DIGITS_MAX + 2]; /* and a sign and a point */
    char *end = digits + sizeof digits;
    uint64_t magnitude = scaled < 0 ? (uint64_t)-scaled : (uint64_t)scaled;
    /* cppcheck-suppress zerodiv; it reads 1e12 as 0 */
    uint64_t fraction = magnitude % (uint64_t)SCALE;
    char *start = end;
    if (fraction > 0) {
        start = write_digits(fraction, end);
        while (end - start < DECIMALS)
            *--start = '0';
        while (end[-1] == '0')
            end--;
        *--start = '.';
    }
    /* cppcheck-suppress zerodiv */
    start = write_digits(magnitude / (uint64_t)SCALE, start);
    if (scaled < 0)
        *--start = '-';
    buffer_append(buffer, start, (size_t)(end - start));
}

/* Every double reads back from 17 significant digits, most from 15. What %g writes is JSON. */
static void append_shortest(struct buffer *buffer, double value)
{
    char text[32]; /* -d.ddde-xxx */
    int precision = DBL_DIG;
    do
        snprintf(text, sizeof text, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= DBL_DECIMAL_DIG);
    buffer_append_string(buffer, text);
}

void buffer_append_json_real(struct buffer *buffer, double value)
{
    assert(isfinite(value));
    if (fabs(value) < SCALED_LIMIT) {
        /* Both operands of the division are exact and its result is correctly rounded, so equality
         * means that the decimal number scaled / 10^12 reads back as value. It has at most 15
         * significant digits, and no two decimals of up to 15 digits (DBL_DIG) read as one double:
         * so there is none that is shorter. Minus zero scales to a plain zero. */
        int64_t scaled = (int64_t)(value * SCALE + (value < 0 ? -0.5 : 0.5));
        if ((double)scaled / SCALE == value) {
            append_decimal(buffer, scaled);
            return;
        }
    }
    append_shortest(buffer, value);
}

void buffer_clear(struct buffer *buffer)
{
    buffer->length = 0;
}

void buffer_append_hex(struct buffer *buffer, const void *bytes, size_t length)
{
    text_format_hex(bytes, length, buffer_reserve(buffer, 2 * length));
    buffer->length += 2 * length;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
