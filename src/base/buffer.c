/* A growing run of bytes, and the way JSON writes texts and numbers. A page of 500 QSOs passes
 * through here field by field.
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
#define FIXED_LIMIT 1e3       /* below it twelve decimals are at most 15 digits */

void buffer_grow(struct buffer *buffer, size_t more)
{
    assert(more <= SIZE_MAX / 4 && buffer->length <= SIZE_MAX / 4);
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : SMALLEST_CAPACITY;
    while (capacity - buffer->length < more)
        capacity *= 2;
    buffer->bytes = memory_resize(buffer->bytes, capacity);
    buffer->capacity = capacity;
}

void buffer_append_integer(struct buffer *buffer, int64_t value)
{
    char digits[INTEGER_DIGITS_MAX + 1];
    char *end = digits + sizeof digits, *start = end;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--start = (char)('0' + left % 10);
    while ((left /= 10) > 0);
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
    char *end = buffer_reserve(buffer, (size_t)length + 1);
    va_start(arguments, format);
    (void)vsnprintf(end, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}

/* -- Real numbers ------------------------------------------------------------------------------ */

/* Coordinates without an exponent; every double reads back from 17 significant digits, most from
 * 15. */
void buffer_append_real(struct buffer *buffer, double value)
{
    char text[32]; /* -ddd.dddddddddddd, -d.ddde-xxx */
    int precision = DBL_DIG;
    assert(isfinite(value));
    if (fabs(value) < FIXED_LIMIT) {
        int length = snprintf(text, sizeof text, "%.12f", value + 0.0);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
        if (strtod(text, NULL) == value) {
            buffer_append_string(buffer, text);
            return;
        }
    }
    do
        snprintf(text, sizeof text, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= DBL_DECIMAL_DIG);
    buffer_append_string(buffer, text);
}

void buffer_clear(struct buffer *buffer)
{
    if (buffer->length > 0)
        explicit_bzero(buffer->bytes, buffer->length);
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
