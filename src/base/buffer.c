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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define SMALLEST_CAPACITY 256
#define SCALE INT64_C(1000000000000)
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

void buffer_append_integer(struct buffer *buffer, int64_t value)
{
    buffer_print(buffer, "%lld", (long long)value);
}

/* What cannot be printed leaves nothing. */
void buffer_print(struct buffer *buffer, const char *format, ...)
{
    int space = SMALLEST_CAPACITY / 4, length;
    for (;; space = length + 1) {
        char *end = buffer_reserve(buffer, (size_t)space);
        va_list arguments;
        va_start(arguments, format);
        length = vsnprintf(end, (size_t)space, format, arguments);
        va_end(arguments);
        if (length < space)
            break;
    }
    buffer->length += length > 0 ? (size_t)length : 0;
}

/* -- Real numbers ------------------------------------------------------------------------------ */

/* Every double reads back from 17 significant digits, most from 15.  */
static void append_shortest(struct buffer *buffer, double value)
{
    char text[32]; /* -d.ddde-xxx */
    int precision = DBL_DIG;
    do
        snprintf(text, sizeof text, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= DBL_DECIMAL_DIG);
    buffer_append_string(buffer, text);
}

/* Coordinates with up to twelve decimals need no search: a page has a thousand. Both operands of
 * the division are exact and its result is correctly rounded, so equality means that the decimal
 * number scaled / 10^12 reads back as value. It has at most 15 significant digits, and no two
 * decimals of up to 15 digits (DBL_DIG) read as one double: so there is none that is shorter. Minus
 * zero scales to a plain zero. */
void buffer_append_real(struct buffer *buffer, double value)
{
    assert(isfinite(value));
    const long long scaled = fabs(value) < SCALED_LIMIT ? llround(value * SCALE) : 0;
    if ((double)scaled / SCALE != value) {
        append_shortest(buffer, value);
        return;
    }
    buffer_print(buffer, "%s%lld.%012lld", scaled < 0 ? "-" : "", llabs(scaled) / SCALE,
                 llabs(scaled) % SCALE);
    while (buffer->bytes[buffer->length - 1] == '0')
        buffer->length--;
    buffer->length -= buffer->bytes[buffer->length - 1] == '.';
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
